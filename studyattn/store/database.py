"""Opening the learner's database, and the two ways to use it: `read` and `write`.

Opening makes sure that it is sound (`health`) and up to date (`migrate`); an up-to-date one is
opened without importing Alembic. What is asked of the tables lives in the other modules of this
room and beside its use in the rooms above.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.store import health, migrate
from studyattn.store.engine import BEGIN_OPTION, make_engine, store_error


class Database:
    """One open database. Threads may share it; each `read` or `write` has its own connection."""

    def __init__(self, engine: Engine, home: Home) -> None:
        self.engine = engine
        self.home = home
        self._writing = engine.execution_options(**{BEGIN_OPTION: "BEGIN IMMEDIATE"})

    @property
    def path(self) -> Path:
        return self.home.database

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one unchanging moment of the database."""
        with self._told(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction, alone in writing from its start: all of it is saved, or nothing."""
        with self._told(), self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Give the file back, and note that it was left in good order."""
        self.engine.dispose()
        health.mark_closed(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Failures of the disk or of another process, as a StoreError."""
        try:
            yield
        except DBAPIError as error:
            known = store_error(error, self.path)
            if known is None:
                raise
            raise known from error


def open_database(home: Home, *, now: datetime) -> Database:
    """The learner's database: made when there is none, checked, backed up and migrated when old.

    Raises DamagedDatabaseError (names the newest good backup; the file is not touched),
    NewerDatabaseError, or StoreError when the file cannot be used.
    """
    path = home.database
    try:
        home.root.mkdir(parents=True, exist_ok=True)
        health.assure(path, now)
    except OSError as error:
        raise StoreError(
            f"the database cannot be used ({error.strerror})",
            where=str(path),
            advice="Check the folder, or choose another with --home.",
        ) from error
    engine = make_engine(path)
    try:
        migrate.bring_up_to_date(engine, home, now)
    except DBAPIError as error:
        engine.dispose()
        known = store_error(error, path)
        if known is None:
            raise
        raise known from error
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, home)
