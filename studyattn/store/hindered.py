"""A copy to look at of a home that cannot be written: it is read-only, or its disk is full.

SQLite writes beside a file that it reads, and an older schema is brought up to date before it is
read. So the database is copied to a place where both can be done, and the home is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studyattn.disk import free_bytes, full_disk
from studyattn.errors import NotFoundError, StoreError
from studyattn.home import Home
from studyattn.store import in_use, sqlite_file
from studyattn.store.transactions import PATIENCE

_LEAST = 256 * 1024  # bytes; SQLite's log and its index take 36 KiB before the first answer
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it


def hindrance(home: Home) -> StoreError | None:
    """Return why nothing in a home can be changed now; None when it can, or is not there yet."""
    if home.server is not None or not home.root.is_dir():
        return None
    present = [path for path in (home.root, home.database) if path.exists()]
    if not all(os.access(path, os.W_OK) for path in present):
        return StoreError(
            "this home is read-only: you can view and export, but not change anything",
            advice=f"Copy {home.root} to your own folder and open that with --home.",
        )
    free = free_bytes(home.root)
    return full_disk(home.root) if free is not None and free < _LEAST else None


@contextmanager
def readable(home: Home) -> Iterator[Home]:
    """Yield the home itself, or a copy of its database in a home of its own if it is hindered."""
    hindered = hindrance(home)
    if hindered is None:
        yield home
        return
    copy = copy_aside(home, hindered)
    try:
        yield copy
    finally:
        remove(copy)


def remove(copy: Home) -> None:
    """Remove a copy that was made here."""
    import shutil

    shutil.rmtree(copy.root, ignore_errors=True)


def copy_aside(home: Home, hindered: StoreError) -> Home:
    """Copy the database to a temporary folder, which the caller removes; return that home.

    Raises NotFoundError when there is no database, and StoreError when there is no room for a copy.
    """
    with closing(in_use.share(home.root, PATIENCE)):
        if sqlite_file.look(home.database) is sqlite_file.State.ABSENT:
            raise NotFoundError(
                f"there is no database, and none can be created: {hindered.message}",
                where=str(home.root),
                advice=hindered.advice,
            )
        try:
            copy = Home(_room_for(home, hindered))
        except OSError as error:
            raise hindered from error
        try:
            sqlite_file.copy(home.database, copy.database)
        except OSError as error:
            remove(copy)
            raise StoreError(
                f"it cannot be copied for reading ({error.strerror})", where=str(home.database)
            ) from error
        except BaseException:
            remove(copy)
            raise
    return copy


def _room_for(home: Home, hindered: StoreError) -> Path:
    """Make a folder where twice the database has room: in memory if the disk of others is full."""
    files = (home.database, *sqlite_file.files_beside(home.database))
    needed = _LEAST + 2 * sum(path.stat().st_size for path in files if path.exists())
    import tempfile

    for folder in (Path(tempfile.gettempdir()), _MEMORY):
        if folder.is_dir() and (free_bytes(folder) or 0) > needed:
            return Path(tempfile.mkdtemp(prefix="studyattn-", dir=folder))
    raise hindered
