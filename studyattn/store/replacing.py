"""Replace the database by another file, in a step that no crash can halve.

The old files first get second names. Then the new file gets the name that decides: a process that
opens the home from then on finishes the step (`settle`) before anything else. Only after that are
the old names removed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.store import in_use
from studyattn.store.backup_files import STAMP
from studyattn.store.sqlite_file import connect, files_beside

UNFINISHED = ".studyattn-copy."
"""How the names of files and folders begin that are made to become a database or a backup."""


@contextmanager
def taken(home: Home, doing: str) -> Iterator[None]:
    """Have the home's database alone. Raises StoreError while another process has it open."""
    try:
        lock = in_use.take(home.root)
    except BlockingIOError as error:
        raise is_open(home.database, doing) from error
    with closing(lock):
        _finish(home.database)
        _clear(home.root)
        yield


def is_open(database: Path, doing: str) -> StoreError:
    """Return the error for a database that others use; `doing` is what cannot be done."""
    return StoreError(
        "the database is open in another studyattn process",
        where=str(database),
        advice=f"Close it, then {doing}.",
    )


def set_aside(database: Path, now: datetime) -> Path:
    """Give a damaged database and the files beside it second names; return that of the database.

    They are not read, and nothing is taken away: the first names go when it is replaced.
    """
    _forget_undecided(database)
    stem = f"{database.name}.damaged-{now.astimezone(UTC):{STAMP}}"
    kept = database.with_name(stem)
    count = 1
    while any(path.exists() for path in (kept, *files_beside(kept))):
        count += 1
        kept = database.with_name(f"{stem}-{count}")
    old = (database, *files_beside(database))
    for path, name in zip(old, (kept, *files_beside(kept)), strict=True):
        if path.exists():
            _name_again(path, name)
    flush(database.parent)
    return kept


def replace(database: Path, copy: Path) -> None:
    """Put a whole and checked file in the database's place. `set_aside` comes first."""
    with closing(connect(copy)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # of which a backup has none
    flush(copy)
    copy.replace(_decided(database))
    flush(database.parent)
    _finish(database)


def settle(home: Home) -> None:
    """Finish a replacement that was decided and then interrupted; usually there is none.

    What one that was not decided had copied, or a backup, is removed.
    """
    if _decided(home.database).exists() or _unfinished(home.root):
        with _alone(home.root) as lock:
            if lock is not None:
                _finish(home.database)
                if lock.is_held:
                    _clear(home.root)
    if _unfinished(home.backups):
        with _alone(home.backups) as lock:
            if lock is not None and lock.is_held:
                _clear(home.backups)


@contextmanager
def _alone(folder: Path) -> Iterator[in_use.FolderLock | None]:
    """Yield a lock on a folder that no other process uses, None while one does."""
    try:
        lock = in_use.take(folder)
    except BlockingIOError:
        yield None
        return
    with closing(lock):
        yield lock


def _unfinished(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.name.startswith(UNFINISHED)]
    except OSError:  # it is not there yet
        return []


def _clear(folder: Path) -> None:
    """Remove the copies of processes that were killed at it. The caller has the folder alone."""
    for path in _unfinished(folder):
        if path.is_dir():
            import shutil

            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Have the disk hold a file, or the names in a folder, before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _decided(database: Path) -> Path:
    return database.with_name(f"{database.name}-new")


def _finish(database: Path) -> None:
    decided = _decided(database)
    if not decided.exists():
        return
    for path in files_beside(database):
        path.unlink(missing_ok=True)
    flush(database.parent)  # the new file must never be found beside the old one's log
    decided.replace(database)
    flush(database.parent)


def _name_again(path: Path, name: Path) -> None:
    try:
        os.link(path, name)
    except OSError:
        if path.is_file():  # on a file system without links
            import shutil

            shutil.copy2(path, name)
            flush(name)
        else:
            path.replace(name)


def _forget_undecided(database: Path) -> None:
    """Remove the second names that were given before an interruption, when nothing was decided."""
    for path in database.parent.glob(f"{database.name}.damaged-*"):
        for present in (database, *files_beside(database)):
            if present.is_file() and path.samefile(present):
                path.unlink()
                break
