"""Check that a database file is sound: a quick look at start, the whole examination on request.

At start the file is read through (`PRAGMA quick_check`) only when that can tell something new:
after a process that did not close it, and once a day. After anything else changed the file, it is
examined thoroughly. A mark beside the database remembers how the file looked when it was last left
in good order. Checks use a read-only connection, or a copy: a damaged file is never written to.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from studyattn.errors import DamagedDatabaseError, StoreError
from studyattn.home import Home
from studyattn.store import sqlite_file
from studyattn.store.backup_files import list_backups
from studyattn.store.database_file import examine_file
from studyattn.store.engine import damaged, store_error
from studyattn.store.sql import Connection, is_sqlite, rows
from studyattn.store.sqlite_file import DAMAGED, FINDINGS, State, connect, has_log, look

CHECK_EVERY = timedelta(days=1)


class _Mark(NamedTuple):
    """The state of the file when it last passed its check."""

    size: int
    modified: int  # nanoseconds
    checked: str  # ISO instant of the last check


def refuse_damaged(home: Home) -> State:
    """Return the state of a home's file. Raises DamagedDatabaseError for what is left of another.

    An empty file is one that a first start left when it was interrupted, unless something tells
    that there was a database. Raises OSError when the file cannot be looked at.
    """
    state = look(home.database)
    had_data = _read_mark(home.database) is not None or list_backups(home)
    if state in DAMAGED or (state is State.EMPTY and had_data):
        raise damaged(home.database, FINDINGS[state])
    return state


def assure(home: Home, now: datetime, *, is_free: bool) -> None:
    """Pass for a home whose file is sound or not there yet; else raise DamagedDatabaseError.

    `is_free`: nobody else had the home open, so that a log beside the file was left by a process
    that did not close it. Raises StoreError when the file cannot be read at all, and OSError when
    it cannot be looked at.
    """
    path = home.database
    try:
        state = refuse_damaged(home)
        if state is State.BEGUN:
            _roll_back(home)
            state = refuse_damaged(home)
        if state is not State.WHOLE:
            return
        thorough = _depth(path, now, is_free=is_free)
        if thorough is None:
            return
        findings = examine_file(path, thorough=thorough)
    except sqlite3.Error as error:
        known = store_error(error, path)
        raise known or StoreError(f"it cannot be read ({error})", where=str(path)) from error
    if findings:
        raise damaged(path, findings[0])
    _write_mark(path, _look(path, checked=now.isoformat()))


def is_made(home: Home) -> bool:
    """Return whether there is a database in a home's file, sound or not.

    A first start that was interrupted leaves a file without tables; the next start goes on with it.
    """
    try:
        if refuse_damaged(home) is not State.WHOLE:
            return False
        if has_log(home.database):
            return True
        with closing(connect(home.database, read_only=True)) as connection:
            return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
    except (DamagedDatabaseError, sqlite3.Error, ValueError):
        return True


def mark_closed(path: Path) -> None:
    """Remember how the file looks now that its last user left it in good order."""
    mark = _read_mark(path)
    if mark is not None and path.exists():
        _write_mark(path, _look(path, checked=mark.checked))


def dangling(connection: Connection) -> list[str]:
    """Rows that refer to a row that is not there, a line each."""
    if not is_sqlite(connection):
        return []
    found = rows(connection, tuple[str, int, str, int], "PRAGMA foreign_key_check")
    return [f"{table} row {rowid} refers to a missing {other}" for table, rowid, other, _ in found]


def _mark_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-checked")


def _roll_back(home: Home) -> None:
    """Undo what a first start that was killed had half done: a read-only connection cannot.

    Done on a copy first. What cannot be undone there is damage, and stays as it is.
    """
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / home.database.name
        sqlite_file.copy(home.database, copy)
        _open_once(copy)
        state = look(copy)
        findings = [] if state is State.EMPTY else examine_file(copy, thorough=False)
    if findings:
        raise damaged(home.database, findings[0])
    _open_once(home.database)


def _open_once(path: Path) -> None:
    with closing(connect(path)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()


def _depth(path: Path, now: datetime, *, is_free: bool) -> bool | None:
    """Return whether to examine a file thoroughly; None when an examination could tell nothing new.

    One that was closed and changed afterwards was changed by another program: its values are read.
    """
    is_left = is_free and has_log(path)
    mark = _read_mark(path)
    if mark is None or is_left:
        return False
    if mark != _look(path, checked=mark.checked):
        return is_free
    return None if abs(now - datetime.fromisoformat(mark.checked)) < CHECK_EVERY else False


def _look(path: Path, *, checked: str) -> _Mark:
    status = path.stat()
    return _Mark(size=status.st_size, modified=status.st_mtime_ns, checked=checked)


def _read_mark(path: Path) -> _Mark | None:
    try:
        mark = _Mark(**json.loads(_mark_path(path).read_text(encoding="utf-8")))
        datetime.fromisoformat(mark.checked)
    except (OSError, ValueError, TypeError):
        return None
    return mark


def _write_mark(path: Path, mark: _Mark) -> None:
    try:
        _mark_path(path).write_text(json.dumps(mark._asdict()), encoding="utf-8")
    except OSError:
        return  # without a mark the next start checks again
