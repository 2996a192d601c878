"""Opening the learner's database, and the ways to use it: `read`, `write`, and `hold`.

Opening makes sure that a file is sound (`health`) and the schema up to date (`migrate`); an
up-to-date one is opened without importing Alembic. What is asked of the tables lives in the other
modules of this room and beside its use in the rooms above.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from studyattn.disk import reason
from studyattn.errors import DamagedDatabaseError, StoreError
from studyattn.home import Home
from studyattn.store import health, hindered, in_use, migrate, replacing
from studyattn.store.backup_files import restore_advice
from studyattn.store.driver import Driver
from studyattn.store.engine import open_driver, transaction, translate_error
from studyattn.store.sql import Connection
from studyattn.store.transactions import PATIENCE

__all__ = [
    "Connection",
    "Database",
    "open_database",
]


class Database:
    """One open database. Threads may share it; each `read` or `write` has its own connection."""

    def __init__(
        self,
        home: Home,
        lock: in_use.FolderLock | None = None,
        *,
        hindrance: StoreError | None = None,
        copy: Home | None = None,
    ) -> None:
        self.home = home
        self._idle: list[Driver] = []  # connections that nobody uses now
        self._lock = lock  # held while a file is open, so that nobody replaces it
        self.hindrance = hindrance  # why nothing can be changed
        self._copy = copy  # then: the copy that is open

    @property
    def path(self) -> Path:
        """The file, for a database that is one."""
        return self.home.database

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one unchanging moment of the database."""
        with self._told(), self._driver() as driver, transaction(driver):
            yield driver

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction, alone in writing from its start: all of it is saved, or nothing.

        Raises StoreError in a home that cannot be written.
        """
        if self.hindrance is not None:
            raise self.hindrance
        with self._told(), self._driver() as driver, transaction(driver, writing=True):
            yield driver

    @contextmanager
    def _driver(self) -> Iterator[Driver]:
        try:
            driver = self._idle.pop()
        except IndexError:  # another thread may have taken the last one
            driver = self._open()
        try:
            yield driver
        finally:
            self._idle.append(driver)

    def _open(self) -> Driver:
        return open_driver(self._copy or self.home, read_only=self._copy is not None)

    def hold(self) -> Driver:
        """Return a driver with a connection of its own, for frequent writes; the caller closes it.

        It raises errors of the database's library, which `raise_store_error` translates.
        """
        with self._told():
            return self._open()

    def disconnect(self) -> None:
        """Close the connections, as when the process ends."""
        while self._idle:
            self._idle.pop().close()

    def close(self) -> None:
        """Close the connections, and note that a file was left in good order."""
        self.disconnect()
        if self._copy is not None:
            hindered.remove(self._copy)
        elif self.home.server is None:
            health.mark_closed(self.path)
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if isinstance(error, Exception):
                _raise_known(error, self.home)
        finally:
            self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise failures of the disk, of another process or of the server as a StoreError.

        What damage in the file led to is raised as a DamagedDatabaseError, whatever it was.
        """
        try:
            yield
        except Exception as error:
            _raise_known(error, self.home)
            raise


def open_database(home: Home, *, now: datetime) -> Database:
    """The learner's database: made when there is none, checked, backed up and migrated when old.

    Raises DamagedDatabaseError (names the newest good backup; the file is not touched),
    NewerDatabaseError, or StoreError when the file or the server cannot be used. Of a home that
    cannot be written a copy is opened, which cannot be written either (`Database.hindrance`).
    """
    hindrance = hindered.hindrance(home)
    if hindrance is not None:
        return _open_copy(home, hindrance, now)
    lock = _assure(home, now)
    try:
        migrate.bring_up_to_date(home, now)
    except BaseException as error:
        lock.close()
        if isinstance(error, Exception):
            _raise_known(error, home)
        raise
    return Database(home, lock)


def _open_copy(home: Home, hindrance: StoreError, now: datetime) -> Database:
    with suppress(OSError):  # copying it says why it cannot be read
        health.refuse_damaged(home)
    copy = hindered.copy_aside(home, hindrance)
    try:
        try:
            health.assure(copy, now, is_free=True)
        except DamagedDatabaseError as error:
            raise DamagedDatabaseError(
                error.message, where=str(home.database), advice=restore_advice(home.database)
            ) from error
        migrate.bring_up_to_date(copy, now)
    except BaseException as error:
        hindered.remove(copy)
        if isinstance(error, Exception):
            _raise_known(error, home)
        raise
    return Database(home, hindrance=hindrance, copy=copy)


def _assure(home: Home, now: datetime) -> in_use.FolderLock:
    """See that the home is there and that a database file in it is sound; share its folder."""
    lock = in_use.FolderLock(None)
    try:
        home.root.mkdir(parents=True, exist_ok=True)
        if home.server is None:
            replacing.settle(home)
            is_free = in_use.is_free(home.root)
            lock = in_use.share(home.root, PATIENCE)
            health.assure(home, now, is_free=is_free)
    except BaseException as error:
        lock.close()
        if not isinstance(error, OSError):
            raise
        raise StoreError(
            f"the database cannot be used ({reason(error, home.root)})",
            where=str(home.database),
            advice="Check the folder, or choose another with --home.",
        ) from error
    return lock


def _raise_known(error: Exception, home: Home) -> None:
    """Raise what the learner can be told of an error, if there is anything."""
    known = translate_error(error, home)
    if known is not None:
        raise known from error
