"""Open another database of the same learner, one that was used on another machine.

It is never written to. Of a file a copy is opened, and migrated when it is older.
`merge_into.merge_database` merges it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from studyattn.address import ServerAddress
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.store import backup, backup_files
from studyattn.store.database import Database, open_database
from studyattn.store.engine import engine_of
from studyattn.store.media import carry_all_media
from studyattn.store.migrate import read_revision
from studyattn.store.revisions import HEAD


@contextmanager
def opened_other(other: Path | ServerAddress, at: datetime) -> Iterator[Database]:
    """Open the file `other`, the home in the folder `other`, or a server's database, to read it.

    Raises InputError for a file that is not a database of studyattn, is damaged or newer than this
    program, and StoreError for a server that cannot be read.
    """
    if isinstance(other, ServerAddress):
        with Database(engine_of(Home(Path(), other)), Home(Path(), other)) as database:
            _check_revision(database, other)
            yield database
        return
    path = Home(other).database if other.is_dir() else other
    if not path.is_file():
        raise InputError("there is no database", where=str(path), advice="Check the name")
    findings = backup_files.check(path)
    if findings:
        raise InputError(
            f"this database cannot be merged ({findings[0]})",
            where=str(path),
            advice="Nothing was changed",
        )
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        backup.copy_file(path, home.database)
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
        revision = read_revision(connection)
    if revision is None:
        raise InputError("there is no database", where=str(address), advice="Check the learner")
    if revision != HEAD:
        raise InputError(
            "it was made by an older version of studyattn",
            where=str(address),
            advice="Open it once with this version, then merge",
        )
