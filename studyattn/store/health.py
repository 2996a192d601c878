"""Whether a database file is sound: a quick look at start, the whole examination on request.

At start the file is read through (`PRAGMA quick_check`) only when that can tell something new:
after a process that did not close it, after anything else changed the file, and once a day. A mark
beside the database remembers how the file looked when it was last left in good order. Checks use a
read-only connection: a damaged file is never written to.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.store.backup_files import list_backups
from studyattn.store.database_file import MOST_FINDINGS, examine_file, open_read_only
from studyattn.store.engine import damaged, is_sqlite, store_error
from studyattn.store.transactions import PATIENCE

if TYPE_CHECKING:
    pass

CHECK_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Mark:
    """The state of the file when it last passed its check."""

    size: int
    modified: int  # nanoseconds
    checked: str  # ISO instant of the last check


def assure(path: Path, now: datetime) -> None:
    """Pass for a file that is sound or not there yet; else raise DamagedDatabaseError.

    Raises StoreError when the file cannot be read at all, and OSError when it cannot be looked at.
    """
    if not path.exists() or _is_unused(path) or _is_fresh(path, now):
        return
    try:
        if _journal(path).exists():
            _roll_back(path)
            if _is_unused(path):
                return
        findings = examine_file(path, thorough=False)
    except sqlite3.Error as error:
        known = store_error(error, path)
        raise known or StoreError(f"it cannot be read ({error})", where=str(path)) from error
    if findings:
        raise damaged(path, findings[0])
    _write_mark(path, _look(path, checked=now.isoformat()))


def is_made(path: Path) -> bool:
    """Return whether there is a database in the file, sound or not.

    A first start that was interrupted leaves a file without tables; the next start goes on with it.
    """
    if not path.exists() or _is_unused(path) or _journal(path).exists():
        return False
    try:
        with closing(open_read_only(path)) as connection:
            return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
    except (sqlite3.Error, ValueError):
        return True


def mark_closed(path: Path) -> None:
    """Remember how the file looks now that its last user left it in good order."""
    mark = _read_mark(path)
    if mark is not None and path.exists():
        _write_mark(path, _look(path, checked=mark.checked))


def examine(connection: Connection) -> list[str]:
    """`db check` of an open database: structure, indexes, and rows that refer to nothing.

    A server looks after all of this itself.
    """
    if not is_sqlite(connection):
        return []
    rows = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_FINDINGS})").fetchall()
    findings = [finding for (finding,) in rows if finding != "ok"]
    return findings + dangling(connection)


def dangling(connection: Connection) -> list[str]:
    """Rows that refer to a row that is not there, a line each."""
    if not is_sqlite(connection):
        return []
    rows = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    return [f"{table} row {rowid} refers to a missing {parent}" for table, rowid, parent, _ in rows]


def _mark_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-checked")


def _journal(path: Path) -> Path:
    """Return the file in which SQLite notes how to undo a change, until WAL is turned on."""
    return path.with_name(f"{path.name}-journal")


def _roll_back(path: Path) -> None:
    """Undo what a first start that was killed had half done: a read-only connection cannot."""
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()


def _is_unused(path: Path) -> bool:
    """Return whether the file is empty, as a first start that was interrupted leaves it."""
    if path.stat().st_size > 0:
        return False
    return _read_mark(path) is None and not list_backups(Home(path.parent))


def _is_fresh(path: Path, now: datetime) -> bool:
    mark = _read_mark(path)
    if mark is None or mark != _look(path, checked=mark.checked):
        return False
    return abs(now - datetime.fromisoformat(mark.checked)) < CHECK_EVERY


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
        _mark_path(path).write_text(json.dumps(asdict(mark)), encoding="utf-8")
    except OSError:
        return  # without a mark the next start checks again
