"""A database file and the files beside it: their state, opening them, copying them.

SQLite changes what it opens, even to read it: of an empty database it deletes the log, and with it
every answer that is only there. So the state of the files is told from their sizes and first bytes
before SQLite sees them, and every connection to a file is made here or asks `refuse_damaged`.
Loads no SQLAlchemy: the first numbers of the app are read through it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import closing
from enum import Enum, auto
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from studyattn.store.transactions import PATIENCE

PAGE_SIZES: Final = frozenset(1 << power for power in range(9, 17))
LOG_HEADER: Final = 32  # bytes, before the first frame of a log
FRAME_HEADER: Final = 24  # bytes, before the page of each frame

_BESIDE = ("-wal", "-shm", "-journal")
_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes


class State(Enum):
    """The state of a database file, as far as it can be told without SQLite."""

    ABSENT = auto()
    EMPTY = auto()  # and without a log, as a first start that was interrupted leaves it
    BEGUN = auto()  # SQLite's journal of a first start lies beside it: it undoes what is half done
    WHOLE = auto()  # nothing speaks against opening it; SQLite may still find damage in it
    EMPTIED = auto()
    LOST = auto()
    HEADLESS = auto()
    CUT = auto()


FINDINGS: Final[Mapping[State, str]] = {
    State.ABSENT: "the file is missing",
    State.EMPTY: "the file is empty",
    State.EMPTIED: "the file is empty, but its log (-wal) is not",
    State.LOST: "the file is missing, but its log (-wal) is there",
    State.HEADLESS: "file is not a database",
    State.CUT: "the end of the file is missing",
}
"""What is wrong with a file that is to have data, by its state."""

DAMAGED: Final = frozenset({State.EMPTIED, State.LOST, State.HEADLESS, State.CUT})
"""The states in which SQLite must not open a file."""


class _Connection(sqlite3.Connection):
    """A connection that counts as open until it is closed."""

    def close(self) -> None:
        super().close()
        with _LOOKING:
            _OPEN.pop(self, None)


_LOOKING: Final = threading.Lock()  # held while a file is read here or handed to SQLite
_OPEN: Final[WeakKeyDictionary[_Connection, Path]] = WeakKeyDictionary()  # files of this process


class DamagedFileError(sqlite3.DatabaseError):
    """A database file that was not opened, because opening it would change what is left of it."""


def files_beside(database: Path) -> tuple[Path, Path, Path]:
    """SQLite's files beside a database: its log, the log's index, and the journal of a start."""
    log, index, journal = (database.with_name(f"{database.name}{suffix}") for suffix in _BESIDE)
    return log, index, journal


def look(database: Path) -> State:
    """Tell the state of a database file. Raises OSError when it cannot be looked at.

    Another process may be writing to it or replacing it, so damage is looked at twice. A file that
    this process has open is not read, so of its damage only the sizes tell.
    """
    state = _state(database)
    return _state(database) if state in DAMAGED else state


def _state(database: Path) -> State:
    log, _, journal = files_beside(database)
    try:
        header, size = _beginning(database)
    except FileNotFoundError:
        return State.LOST if _size(log) else State.ABSENT
    logged = _size(log)
    if _size(journal) and not logged:
        return State.BEGUN
    if not size:
        return State.EMPTIED if logged else State.EMPTY
    return State.WHOLE if header is None else _state_of(header, size, logged)


def _state_of(header: bytes, size: int, logged: int) -> State:
    """Tell the state of a file that is not empty by its header, its size and that of its log."""
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 1 << 16 if page_size == 1 else page_size
    if not header.startswith(_MAGIC) or size < _HEADER or page_size not in PAGE_SIZES:
        return State.HEADLESS
    # A checkpoint that was killed leaves a short file whose other pages are all in the log.
    frames = max(logged - LOG_HEADER, 0) // (FRAME_HEADER + page_size)
    pages = int.from_bytes(header[28:32], "big") if header[24:28] == header[92:96] else 0
    return State.CUT if pages - size // page_size > frames else State.WHOLE


def _beginning(database: Path) -> tuple[bytes | None, int]:
    """Read a file's header, and its size in bytes; no header of one that this process has open.

    To close a file gives up all locks that the process has on it, SQLite's too (POSIX). Another
    process that closes the database then believes to be its last user, and deletes the log that
    this one goes on writing.
    """
    with _LOOKING:
        if database.resolve() in _OPEN.values():
            return None, database.stat().st_size
        with database.open("rb") as file:
            return file.read(_HEADER), file.seek(0, os.SEEK_END)


def is_open_here(database: Path) -> bool:
    """Return whether this process has a connection to a file."""
    with _LOOKING:
        return database.resolve() in _OPEN.values()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def refuse_damaged(database: Path) -> None:
    """Raise DamagedFileError for a file that SQLite must not open."""
    try:
        state = look(database)
    except OSError:
        return  # SQLite cannot open it either, and says so
    if state in DAMAGED:
        raise DamagedFileError(FINDINGS[state])


def connect(
    database: Path,
    *,
    read_only: bool = False,
    patience: float = PATIENCE,
    any_thread: bool = False,
) -> sqlite3.Connection:
    """Open a database file, or one so that nothing in it can be changed.

    SQLite makes a log and its index beside a database even to read it. So of a file that nobody has
    open, or that lies where nothing can be written, it is told that the file does not change. That
    would be wrong with a log beside it, whose writes are not in the file yet.
    Raises sqlite3.Error: DamagedFileError for a file that SQLite must not open.
    """
    refuse_damaged(database)
    address = database.absolute().as_uri()
    if read_only:
        address += "?mode=ro"
        is_in_use = files_beside(database)[1].exists() and os.access(database.parent, os.W_OK)
        if not is_in_use and not has_log(database):
            address += "&immutable=1"
    with _LOOKING:
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=patience,
            check_same_thread=not any_thread,
            factory=_Connection,
        )
        _OPEN[connection] = database.resolve()
    return connection


def has_log(database: Path) -> bool:
    """Return whether writes lie in a log beside a file."""
    return _size(files_beside(database)[0]) > 0


def copy(database: Path, target: Path) -> None:
    """Copy a database with its log, whatever state it is in. Raises OSError.

    One that is in use now is copied as of one moment. Nothing is changed, and no file is made
    beside one that nobody uses.
    """
    for _ in range(2):
        for path in (target, *files_beside(target)):
            path.unlink(missing_ok=True)
        if files_beside(database)[1].exists() and _copy_in_use(database, target):
            return
        before = _last_written(database)
        copy_files(database, target)
        if before == _last_written(database):
            return


def _copy_in_use(database: Path, target: Path) -> bool:
    """Copy what SQLite reads; return False for a file that it cannot read.

    Raises sqlite3.Error and ValueError for one that this process has open.
    """
    try:
        with closing(connect(database, read_only=True)) as old, closing(connect(target)) as new:
            old.backup(new)
    except (sqlite3.Error, ValueError):  # damaged, or left by a process that was killed
        for path in (target, *files_beside(target)):
            path.unlink(missing_ok=True)
        if is_open_here(database):
            raise
        return False
    return True


def copy_files(database: Path, target: Path) -> None:
    """Copy a database with its log and journal; the log's index follows from the log."""
    import shutil

    log, _, journal = files_beside(database)
    beside = files_beside(target)
    for path, name in ((database, target), (log, beside[0]), (journal, beside[2])):
        if path.is_file():
            shutil.copyfile(path, name)


def _last_written(database: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return the sizes and times by which a write to a file or its log is noticed."""
    found = [
        path.stat() if path.exists() else None for path in (database, files_beside(database)[0])
    ]
    return tuple(each and (each.st_size, each.st_mtime_ns) for each in found)
