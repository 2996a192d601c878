"""Copies of the database: making, listing, thinning and putting back.

A backup is one ordinary SQLite file in the home's `backups` folder. Its name says when and why it
was made, so that the folder explains itself without this program. It appears under that name only
once it is whole, checked and on the disk.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from studyattn import disk
from studyattn.errors import DamagedDatabaseError, NotFoundError, StoreError
from studyattn.home import Home
from studyattn.store import in_use
from studyattn.store.backup_files import (
    Backup,
    check,
    free_name,
    list_backups,
    thin,
)
from studyattn.store.database_file import TORN, damage_of, examine_copy, examine_file
from studyattn.store.engine import damaged, store_error
from studyattn.store.replacing import (
    UNFINISHED,
    flush,
    is_open,
    replace,
    set_aside,
    settle,
    taken,
)
from studyattn.store.sqlite_file import connect, files_beside
from studyattn.store.sqlite_file import copy as copy_file
from studyattn.store.transactions import PATIENCE

AUTOMATIC_EVERY = timedelta(days=1)
AUTOMATIC_REASONS = frozenset({"automatic", "migration"})  # others were asked for: never thinned

_DOING = "restore"


def make(home: Home, *, now: datetime, reason: str = "manual") -> Backup:
    """Copy the database as it is at this moment; others may go on writing meanwhile.

    Raises NotFoundError when there is no database, DamagedDatabaseError when it is damaged and
    StoreError when the copy cannot be written.
    """
    from studyattn.store.pages import is_torn  # late: once a day

    settle(home)
    is_closed = in_use.is_free(home.root)  # else who opened it has looked at its log
    with closing(in_use.share(home.root, PATIENCE)):
        if is_closed and is_torn(files_beside(home.database)[0]):
            raise damaged(home.database, TORN)  # SQLite would copy what comes before the damage
        return _make(home, now, reason)


def _make(home: Home, now: datetime, reason: str) -> Backup:
    """`make`, for one who holds a lock on the home."""
    if not home.database.exists():
        raise NotFoundError("there is no database to back up", where=str(home.database))
    made_at = now.astimezone(UTC).replace(microsecond=0)
    target = free_name(home.backups, made_at, reason)
    try:
        home.backups.mkdir(parents=True, exist_ok=True)
        with (
            closing(in_use.share(home.backups, PATIENCE)),
            _sound_copy(home.database, home.backups) as copy,
        ):
            _place(copy, target)
    except OSError as error:
        raise StoreError(
            f"the backup cannot be written ({disk.reason(error, home.root)})", where=str(target)
        ) from error
    return Backup(target, made_at, reason)


def make_if_due(home: Home, *, now: datetime) -> Backup | None:
    """The day's automatic backup, unless there is one; older ones are thinned after it."""
    made_before = [each.made_at for each in list_backups(home) if each.made_at <= now]
    if made_before and now - max(made_before) < AUTOMATIC_EVERY:
        return None  # those of a clock that was ahead do not count
    made = make(home, now=now, reason="automatic")
    thin_backups(home)
    return made


def restore(home: Home, backup: Path, *, now: datetime) -> Path | None:
    """Put a backup in the database's place; the database so far is kept and its place returned.

    A sound database is kept as a backup. A damaged one is moved beside the new one with `.damaged`
    in its name, and its `-wal` and `-shm` with it. From the first look until the new database is in
    its place nobody else can open it. Raises NotFoundError, DamagedDatabaseError for a backup that
    is not sound, and StoreError while another process has the database open.
    """
    if not backup.is_file():
        raise NotFoundError(f"there is no backup {backup}", where=str(backup.parent))
    try:
        home.root.mkdir(parents=True, exist_ok=True)
        with taken(home, _DOING), _restorable_copy(backup, home.root) as copy:
            kept = _keep_present(home, now)
            replace(home.database, copy)
    except OSError as error:
        raise StoreError(
            f"the database cannot be replaced ({disk.reason(error, home.root)})",
            where=str(home.database),
        ) from error
    return kept


def thin_backups(home: Home) -> list[Path]:
    """Delete the automatic backups that `thin` does not keep; the paths that went."""
    automatic = [each for each in list_backups(home) if each.reason in AUTOMATIC_REASONS]
    keep = thin(each.made_at for each in automatic)
    gone = [each.path for each in automatic if each.made_at not in keep]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """Yield a name for a new database in a folder; what has it at the end is removed."""
    unfinished = folder / f"{UNFINISHED}{os.getpid()}.part"
    try:
        yield unfinished
    finally:
        for path in (unfinished, *files_beside(unfinished)):
            path.unlink(missing_ok=True)


@contextmanager
def _restorable_copy(backup: Path, folder: Path) -> Iterator[Path]:
    """Yield a checked copy of a backup, which may have a log beside it and is not opened itself.

    Raises DamagedDatabaseError for one that is not sound.
    """
    with _unfinished(folder) as copy:
        copy_file(backup, copy)
        findings = check(copy)
        if findings:
            raise DamagedDatabaseError(
                f"this backup cannot be restored ({findings[0]})",
                where=str(backup),
                advice="Choose another one.",
            )
        with closing(connect(copy)) as connection:
            connection.execute(
                "PRAGMA journal_mode = DELETE"
            )  # the log's changes become the file's
        yield copy


@contextmanager
def _sound_copy(source: Path, folder: Path) -> Iterator[Path]:
    """Yield a whole and checked copy of a database that may be in use; gone if unused.

    Raises DamagedDatabaseError when the source is damaged, and StoreError when only the copy is.
    """
    with _unfinished(folder) as unfinished:
        try:
            copy_file(source, unfinished)
            with closing(connect(unfinished)) as new:
                new.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            findings = examine_copy(unfinished)
        except (sqlite3.Error, ValueError) as error:  # also text in the schema that is not UTF-8
            known = store_error(error, source) if isinstance(error, sqlite3.Error) else None
            raise known or damaged(source, ascii(str(error))) from error
        if findings:
            of_source = damage_of(source)
            if of_source:
                raise damaged(source, of_source[0])
            raise StoreError(
                f"the backup is damaged after writing ({findings[0]})",
                where=str(source),
                advice="Check the disk.",
            )
        yield unfinished


def _place(copy: Path, target: Path) -> None:
    """Give a copy its name, in one step and on the disk."""
    flush(copy)
    copy.replace(target)
    flush(target.parent)


def _keep_present(home: Home, now: datetime) -> Path | None:
    """Keep the database that is about to be replaced and return where; None when there is none."""
    database = home.database
    if not any(path.exists() for path in (database, *files_beside(database))):
        return None
    if not _is_sound(database):
        return set_aside(database, now)
    try:
        _refuse_while_open(database)
        kept = _make(home, now, "before-restore").path
    except DamagedDatabaseError:  # in a place that the look at its structure does not reach
        return set_aside(database, now)
    log = files_beside(database)[0]
    if log.exists() and log.stat().st_size > 0:  # another program wrote since it was refused
        raise is_open(database, _DOING)
    return kept


def _is_sound(database: Path) -> bool:
    """Return whether SQLite finds no fault with a file; one that cannot be read is not sound.

    Raises StoreError while another program keeps it locked.
    """
    try:
        return not examine_file(database, thorough=False)
    except sqlite3.Error as error:
        if "locked" in str(error):
            raise is_open(database, _DOING) from error
    except OSError:
        pass
    return False


def _refuse_while_open(database: Path) -> None:
    """Raise StoreError while another program has the database open; else empty its log into it.

    Every open connection in WAL mode holds a shared lock, which keeps others from exclusive mode.
    """
    with closing(connect(database, patience=0)) as connection:
        connection.isolation_level = None
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise (
                is_open(database, _DOING)
                if "locked" in str(error)
                else damaged(database, str(error))
            ) from error
