"""What another database of the same learner holds, one that was used on another machine.

It is only ever read. Of a file a copy is what is opened, and migrated when it is older. Joining it
is `merging`'s.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from studyattn.address import ServerAddress
from studyattn.errors import InputError
from studyattn.exchange.merge.load_snapshot import load_snapshot
from studyattn.exchange.merge.snapshot import Snapshot
from studyattn.home import Home
from studyattn.store import backup, in_use
from studyattn.store.database import Database, open_database
from studyattn.store.engine import PATIENCE, engine_of, open_read_only
from studyattn.store.migrate import HEAD, read_revision


def read_other_database(other: Path | ServerAddress, at: datetime) -> Snapshot:
    """What the file `other`, the home in the folder `other` or a server's database holds.

    Raises InputError when it is no database of studyattn, is damaged, or is of a newer one, and
    StoreError of a server.
    """
    if isinstance(other, ServerAddress):
        return _read_server(other)
    path = Home(other).database if other.is_dir() else other
    if not path.is_file():
        raise InputError("there is no database", where=str(path), advice="Check the name")
    findings = backup.check(path)
    if findings:
        raise InputError(
            f"it is no database that can be merged ({findings[0]})",
            where=str(path),
            advice="Nothing was changed",
        )
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        _copy(path, home.database)
        with open_database(home, now=at) as opened, opened.read() as connection:
            return load_snapshot(connection)


def _read_server(address: ServerAddress) -> Snapshot:
    """Nothing is made or migrated there, so it has to be of this program's own schema."""
    engine = engine_of(Home(Path(), address))
    with Database(engine, Home(Path(), address)) as database, database.read() as connection:
        revision = read_revision(connection)
        if revision is None:
            raise InputError("there is no database", where=str(address), advice="Check the learner")
        if revision != HEAD:
            raise InputError(
                "it was made by an older studyattn",
                where=str(address),
                advice="Open it once with this one, then merge",
            )
        return load_snapshot(connection)


def _copy(path: Path, target: Path) -> None:
    with (
        closing(in_use.share(path.parent, PATIENCE)),
        closing(open_read_only(path)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
