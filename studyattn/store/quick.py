"""Opening the learner's file to read one thing at once: without SQLAlchemy, checks or migrations.

For what an app shows first. The file is opened as it is, if its schema is this program's, and is
never written to; `database` opens it properly afterwards.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from studyattn.home import Home
from studyattn.store import in_use, sqlite_file
from studyattn.store.driver import SqliteDriver
from studyattn.store.revisions import HEAD

_PATIENCE = 0.2  # seconds; another process has the file for itself only while it replaces it


@contextmanager
def open_quickly(home: Home) -> Iterator[SqliteDriver | None]:
    """Open the file of a home for reading; None when it has to be opened properly first."""
    if home.server is not None or not home.database.exists():
        yield None
        return
    has_index = sqlite_file.files_beside(home.database)[1].exists()
    if sqlite_file.has_log(home.database) and not has_index:
        yield None  # SQLite would make the index, beside a file that may be damaged
        return
    with (
        closing(in_use.share(home.root, _PATIENCE)),
        closing(
            sqlite_file.connect(home.database, read_only=True, patience=_PATIENCE)
        ) as connection,
    ):
        connection.isolation_level = None
        driver = SqliteDriver(connection)
        driver.do("BEGIN")
        yield driver if _has_our_schema(driver) else None


def _has_our_schema(driver: SqliteDriver) -> bool:
    try:
        return driver.one("SELECT version_num FROM alembic_version") == (HEAD,)
    except sqlite3.OperationalError:  # of another program, or nothing in it yet
        return False
