"""Whether a database file is sound: a quick look at start, the whole examination on request.

At start the file is read through (`PRAGMA quick_check`) only when that can tell something new:
after a process that did not close it, after anything else changed the file, and once a day. A mark
beside the database remembers how the file looked when it was last left in good order. Checks use a
read-only connection: a damaged file is never written to.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, types

from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.store.engine import (
    PATIENCE,
    damaged,
    is_hindrance,
    is_sqlite,
    open_read_only,
    store_error,
)

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine

CHECK_EVERY = timedelta(days=1)
_MOST_FINDINGS = 10
_MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class _Mark:
    """How the file looked when it was last known to be in good order."""

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


def examine_file(path: Path, *, thorough: bool) -> list[str]:
    """Return what is wrong with the file, a line each; nothing when it is sound.

    Thorough also compares every index with its table and reads every value. Whatever is raised
    while SQLite reads the file is a finding, but for what is no damage: sqlite3.Error when the
    file is locked or the disk fails, OSError for a file that nobody can read.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:  # to SQLite a short file of anything is empty
            return ["file is not a database"]
    check = "integrity_check" if thorough else "quick_check"
    return _findings(path, lambda connection: _checked(connection, check, values=thorough))


def examine_copy(path: Path) -> list[str]:
    """Return what is wrong with a copy that was just made: its structure and its values."""
    return _findings(path, lambda connection: _checked(connection, "quick_check", values=True))


def damage_of(path: Path) -> list[str]:
    """Return what `examine_file` finds; nothing when there is no file or it cannot be read now."""
    try:
        return examine_file(path, thorough=True)
    except (OSError, sqlite3.Error):
        return []


def _findings(path: Path, check: Callable[[sqlite3.Connection], list[str]]) -> list[str]:
    try:
        with closing(open_read_only(path)) as connection:
            return check(connection)
    except Exception as error:
        if is_hindrance(error):
            raise
        return [ascii(str(error)).strip("'\"") or type(error).__name__]


def _checked(connection: sqlite3.Connection, check: str, *, values: bool) -> list[str]:
    rows = connection.execute(f"PRAGMA {check}({_MOST_FINDINGS})").fetchall()
    findings = [finding for (finding,) in rows if finding != "ok"]
    if values and not findings:
        findings = _unreadable(connection)
    return findings


def _unreadable(connection: sqlite3.Connection) -> list[str]:
    """Read every value of our tables as the program would; a line for each table that has another.

    SQLite itself looks at neither the encoding of a text nor at what a column is for. What a file
    of another schema does not have is passed over.
    """
    from studyattn.store.migrate import HEAD
    from studyattn.store.models import Base

    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if "alembic_version" not in tables:  # of another program, or with no tables yet
        return []
    revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    findings = []
    for table in Base.metadata.sorted_tables:
        there = {row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")}
        columns = [column for column in table.columns if column.name in there]
        if revision == (HEAD,) and len(columns) < len(table.columns):
            findings.append(f"{table.name} has not all its columns")
        if not columns:
            continue
        names = ", ".join(f'"{column.name}"' for column in columns)
        readers = [_reader(column.type) for column in columns]
        try:
            for row in connection.execute(f"SELECT {names} FROM {table.name}"):  # noqa: S608 - ours
                for read, value in zip(readers, row, strict=True):
                    if value is not None:
                        read(value)
        except (sqlite3.OperationalError, ValueError, TypeError, RecursionError) as error:
            if is_hindrance(error):
                raise
            findings.append(f"{table.name} has a value that cannot be read: {str(error)!a}")
    return findings


def _reader(kind: TypeEngine[Any]) -> Callable[[Any], object]:
    """Return what reads a value of a column's type, and raises ValueError or TypeError."""
    from studyattn.store.models import UtcDateTime

    if isinstance(kind, UtcDateTime):
        return datetime.fromisoformat
    if isinstance(kind, types.Date):
        return date.fromisoformat
    if isinstance(kind, types.JSON):
        return json.loads
    if isinstance(kind, types.String):
        return _text
    return _number


def _text(value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")


def _number(value: object) -> None:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")


def examine(connection: Connection) -> list[str]:
    """`db check` of an open database: structure, indexes, and rows that refer to nothing.

    A server looks after all of this itself.
    """
    if not is_sqlite(connection):
        return []
    rows = connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_FINDINGS})").fetchall()
    findings = [finding for (finding,) in rows if finding != "ok"]
    return findings + dangling(connection)


def dangling(connection: Connection) -> list[str]:
    """Rows that refer to a row that is not there, a line each."""
    if not is_sqlite(connection):
        return []
    rows = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    return [
        f"{table} row {rowid} refers to a {parent} that is not there"
        for table, rowid, parent, _ in rows
    ]


def _mark_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-checked")


def _journal(path: Path) -> Path:
    """Where SQLite notes how to undo a change, until the first start has turned on WAL."""
    return path.with_name(f"{path.name}-journal")


def _roll_back(path: Path) -> None:
    """Undo what a first start that was killed had half done: a read-only connection cannot."""
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()


def _is_unused(path: Path) -> bool:
    """Whether the file is empty and always was: a first start that was interrupted leaves one."""
    from studyattn.store.backup import list_backups

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
