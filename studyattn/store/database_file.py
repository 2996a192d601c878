"""Reading one SQLite file without changing it, and finding out what is wrong with it.

Used of the learner's database, of copies and of backups alike. What to do about a finding is said
by `engine` and `health`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from studyattn.store import revisions
from studyattn.store.sqlite_file import (
    FINDINGS,
    State,
    connect,
    copy,
    files_beside,
    has_log,
    is_open_here,
    look,
)

MOST_FINDINGS = 10

TORN = "its log (-wal) is damaged, and there are changes after the damage"
DISK_FULL = "disk is full"

# What SQLite says, in part → what the learner is told, and what to do.
FAILURES = (
    (
        "database is locked",
        "another process kept it locked for too long",
        "Close it or wait, then try again.",
    ),
    (DISK_FULL, "the disk is full", "Free some space. Saved data is safe."),
    (
        "readonly database",
        "it cannot be written",
        "Check the permissions of the file and its folder.",
    ),
    ("unable to open", "it cannot be opened", "Check the permissions of the file and its folder."),
    ("disk I/O error", "the disk failed to read or write", "Check the disk and its free space."),
)
OF_WRITING = (DISK_FULL, "readonly database", "unable to open", "disk I/O error")
"""Those of `FAILURES` that a read-only home or a full disk leads to."""


def examine_file(path: Path, *, thorough: bool) -> list[str]:
    """Return what is wrong with the file, a line each; nothing when it is sound.

    Thorough also compares every index with its table and reads every value. Whatever is raised
    while SQLite reads the file is a finding, but for what is no damage: sqlite3.Error when the
    file is locked or the disk fails, OSError for a file that nobody can read.
    """
    state = look(path)
    if state in FINDINGS:
        return [FINDINGS[state]]
    from studyattn.store.pages import is_torn  # late: a start looks at a file once a day

    if is_torn(files_beside(path)[0]):
        return [TORN]
    check = "integrity_check" if thorough else "quick_check"
    return _findings(path, lambda connection: _checked(connection, check, values=thorough))


def examine_copy(path: Path) -> list[str]:
    """Return what is wrong with a copy that was just made: its structure and its values."""
    return _read(path, lambda connection: _checked(connection, "quick_check", values=True))


def damage_of(path: Path) -> list[str]:
    """Return what `examine_file` finds; nothing when there is no file or it cannot be read now."""
    try:
        return [] if look(path) is State.ABSENT else examine_file(path, thorough=True)
    except (OSError, sqlite3.Error):
        return []


def _findings(path: Path, check: Callable[[sqlite3.Connection], list[str]]) -> list[str]:
    """Check a file; damage is looked for again in a copy with its log.

    A file without damage is not copied, but for one whose log has no index, which SQLite would make
    beside it.
    """
    is_here = is_open_here(path)
    leaves_traces = has_log(path) and not files_beside(path)[1].exists()
    if is_here or not leaves_traces:
        findings = _read(path, check)
        if is_here or not findings:
            return findings
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / path.name
        try:
            copy(path, copied)
        except OSError:  # no room, or it cannot be read, as SQLite will say
            copied = path
        return _read(copied, check)


def _read(path: Path, check: Callable[[sqlite3.Connection], list[str]]) -> list[str]:
    try:
        with closing(connect(path, read_only=True)) as connection:
            return check(connection)
    except Exception as error:
        if is_hindrance(error):
            raise
        return [ascii(str(error)).strip("'\"") or type(error).__name__]


def _checked(connection: sqlite3.Connection, check: str, *, values: bool) -> list[str]:
    rows = connection.execute(f"PRAGMA {check}({MOST_FINDINGS})").fetchall()
    findings = [finding for (finding,) in rows if finding != "ok"]
    if values and not findings:
        findings = _unreadable(connection)
    return findings


def _unreadable(connection: sqlite3.Connection) -> list[str]:
    """Read every value of our tables as the program would; a line for each table that has another.

    SQLite itself looks at neither the encoding of a text nor at what a column is for. What a file
    of another schema does not have is passed over.
    """
    from studyattn.store.columns import tables  # late: as above

    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if "alembic_version" not in present:  # of another program, or with no tables yet
        return []
    revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    findings = []
    for table, known in tables().items():
        there = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        columns = [column for column in known.values() if column.name in there]
        if revision == (revisions.HEAD,) and len(columns) < len(known):
            findings.append(f"{table} lacks some of its columns")
        if not columns:
            continue
        try:
            checks = {column.name: column.handled.check for column in columns}
            _read_values(connection, table, checks)
        except (sqlite3.OperationalError, ValueError, TypeError, RecursionError) as error:
            if is_hindrance(error):
                raise
            findings.append(f"{table} has a value that cannot be read: {str(error)!a}")
    return findings


def _read_values(
    connection: sqlite3.Connection, table: str, checks: Mapping[str, Callable[[Any], object]]
) -> None:
    """Check every value of some columns, by their names; raise what a check raises."""
    names = ", ".join(f'"{name}"' for name in checks)
    for row in connection.execute(f"SELECT {names} FROM {table}"):  # noqa: S608 - ours
        for check, value in zip(checks.values(), row, strict=True):
            if value is not None:
                check(value)


def is_hindrance(error: Exception) -> bool:
    """Tell whether something other than damage, a lock or the disk, kept SQLite from reading."""
    said = str(error)
    return isinstance(error, sqlite3.Error) and any(sign in said for sign, _, _ in FAILURES)
