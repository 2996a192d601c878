"""A lock on the folder of a database: shared by many processes, or held by one alone.

A process that opens the database file takes the shared lock; one that replaces the file takes the
exclusive lock. SQLite's own locks cannot do this: they belong to the opened file, so a process that
waits for one goes on with the file that was replaced. The lock is the kernel's (`flock`) and is on
the folder itself: it ends with its process, and needs no file and no permission to write. On a file
system without such locks every process is let in.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from studyattn.errors import StoreError

_PAUSE = 0.02  # seconds between two looks at a lock


class FolderLock:
    """A lock that is held until `close`."""

    def __init__(self, handle: int | None) -> None:
        self._handle = handle

    @property
    def is_held(self) -> bool:
        """True when there is a lock: not every file system has them, and `close` gives it back."""
        return self._handle is not None

    def close(self) -> None:
        """Release the lock. Does nothing the second time."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def share(folder: Path, patience: float) -> FolderLock:
    """Share a folder with others. Waits `patience` seconds for a process that has it alone.

    Raises StoreError when that process still has it then.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            return _lock(folder, fcntl.LOCK_SH)
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise StoreError(
                    "another process is replacing the database",
                    where=str(folder),
                    advice="Wait, then try again.",
                ) from error
        time.sleep(_PAUSE)


def take(folder: Path) -> FolderLock:
    """Take a folder for this process alone. Raises BlockingIOError while another uses it."""
    return _lock(folder, fcntl.LOCK_EX)


def is_free(folder: Path) -> bool:
    """Return whether no process has a folder; also where the file system cannot tell."""
    try:
        take(folder).close()
    except BlockingIOError:
        return False
    return True


def _lock(folder: Path, operation: int) -> FolderLock:
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return FolderLock(None)  # what is wrong with the folder is found by those who use it
    try:
        fcntl.flock(handle, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:
        os.close(handle)
        return FolderLock(None)
    return FolderLock(handle)
