"""Open another database of the same learner, one that was used on another machine.

It is never written to. Of a file a copy is opened, and migrated when it is older.
`merge_into.merge_database` merges it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from studyattn.address import ServerAddress
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.store import backup_files, in_use, sqlite_file
from studyattn.store.database import Database, open_database
from studyattn.store.media import carry_all_media
from studyattn.store.migrate import read_revision
from studyattn.store.revisions import HEAD
from studyattn.store.sqlite_file import State
from studyattn.store.transactions import PATIENCE


@contextmanager
def opened_other(other: Path | ServerAddress, at: datetime) -> Iterator[Database]:
    """Open the file `other`, the home in the folder `other`, or a server's database, to read it.

    Raises InputError for a file that is not a database of studyattn, is damaged or newer than this
    program, and StoreError for a server that cannot be read.
    """
    if isinstance(other, ServerAddress):
        with Database(Home(Path(), other)) as database:
            _check_revision(database, other)
            yield database
        return
    path = Home(other).database if other.is_dir() else other
    if sqlite_file.look(path) is State.ABSENT:
        raise InputError("there is no database", where=str(path), advice="Check the name")
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        try:
            with closing(in_use.share(path.parent, PATIENCE)):
                sqlite_file.copy(path, home.database)
        except OSError as error:
            raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error
        findings = backup_files.check(home.database)
        if findings:
            raise InputError(
                f"this database cannot be merged ({findings[0]})",
                where=str(path),
                advice="Nothing was changed",
            )
        with open_database(home, now=at) as database:
            yield database


def carry_media_of(other: Path, home: Home) -> None:
    """Copy the pictures and sounds of the home `other`, or of its database file, into a home.

    Raises InputError when they cannot be copied.
    """
    folder = other if other.is_dir() else other.parent
    try:
        carry_all_media(Home(folder).media, home.media)
    except OSError as error:
        raise InputError(
            f"its pictures and sounds cannot be copied ({error.strerror})", where=str(folder)
        ) from error


def _check_revision(database: Database, address: ServerAddress) -> None:
    """Refuse a database that is not migrated here, and so must have this program's own schema."""
    with database.read() as connection:
        revision = read_revision(connection, database.home)
    if revision is None:
        raise InputError("there is no database", where=str(address), advice="Check the learner")
    if revision != HEAD:
        raise InputError(
            "it was made by an older version of studyattn",
            where=str(address),
            advice="Open it once with this version, then merge",
        )
