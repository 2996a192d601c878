"""The backup files of a home: their names, which there are, which are good, which to keep.

`backup` makes, restores and deletes them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from studyattn.errors import NotFoundError
from studyattn.home import Home
from studyattn.store import revisions
from studyattn.store.database_file import examine_file
from studyattn.store.sqlite_file import connect

DAILY, WEEKLY, MONTHLY = 7, 4, 6  # how many automatic backups thinning keeps, the newest of each
SUFFIX = ".db"
_NAME = re.compile(r"studyattn-(\d{8}T\d{6}Z)-([a-z-]+)(?:-\d+)?")
STAMP = "%Y%m%dT%H%M%SZ"


class Backup(NamedTuple):
    """One backup file."""

    path: Path
    made_at: datetime  # aware, UTC; whole seconds
    reason: str  # automatic | migration | manual | before-restore

    @property
    def size(self) -> int:
        """Bytes."""
        return self.path.stat().st_size


def list_backups(home: Home, suffix: str = SUFFIX) -> list[Backup]:
    """The backups of one kind, newest first. Other files in the folder are passed over."""
    if not home.backups.is_dir():
        return []
    found = []
    for path in home.backups.iterdir():
        match = _NAME.fullmatch(path.stem)
        if match and path.suffix == suffix:
            made_at = datetime.fromisoformat(match[1])
            found.append(Backup(path, made_at, match[2]))
    return sorted(found, key=lambda backup: (backup.made_at, backup.path.name), reverse=True)


def find(home: Home, name: str) -> Path:
    """The backup of that name in the home, or the file at that path. Raises NotFoundError."""
    for path in (home.backups / name, Path(name).expanduser()):
        if path.is_file():
            return path
    newest = next(iter(list_backups(home)), None)
    raise NotFoundError(
        f"there is no backup {name}",
        where=str(home.backups),
        advice=f"The newest one is {newest.path.name}." if newest else "There are none yet.",
    )


def check(path: Path) -> list[str]:
    """Return what is wrong with a backup file, a line each; nothing when it can be restored."""
    try:
        findings = examine_file(path, thorough=True)
        if findings:
            return findings
        with closing(connect(path, read_only=True)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, OSError) as error:
        return [str(error)]
    if row is None or row[0] not in revisions.REVISIONS:
        schema = row[0] if row else "none"
        return [f"it has schema {schema}, which this version of studyattn does not know"]
    return []


def newest_good(home: Home) -> Backup | None:
    """The newest backup that can be restored."""
    return next((backup for backup in list_backups(home) if not check(backup.path)), None)


def thin(made: Iterable[datetime]) -> set[datetime]:
    """Choose the moments to keep.

    The newest of each of the last 7 days, 4 ISO weeks and 6 months that have any, in UTC. So the
    newest of all is always kept, and years without a backup push nothing out.
    """
    newest_first = sorted(made, reverse=True)
    spans: Sequence[tuple[int, Callable[[datetime], tuple[int, ...]]]] = (
        (DAILY, lambda at: (at.year, at.month, at.day)),
        (WEEKLY, lambda at: tuple(at.isocalendar())[:2]),
        (MONTHLY, lambda at: (at.year, at.month)),
    )
    keep: set[datetime] = set()
    for count, span in spans:
        newest_of_span: dict[tuple[int, ...], datetime] = {}
        for at in newest_first:
            newest_of_span.setdefault(span(at.astimezone(UTC)), at)
        keep.update(list(newest_of_span.values())[:count])
    return keep


def restore_advice(database: Path) -> str:
    """Advise on a damaged database; name the newest good backup when there is one."""
    good = newest_good(Home(database.parent))
    recover = "Recover what can be read with `studyattn db recover`"
    if good is None:
        return f"{recover}; there is no good backup of it."
    restore = f"restore the newest good backup with `studyattn db restore {good.path.name}`"
    return f"{recover}, or {restore}."


def free_name(folder: Path, made_at: datetime, reason: str, suffix: str = SUFFIX) -> Path:
    """A name for a backup that no file in the folder has."""
    stem = f"studyattn-{made_at.strftime(STAMP)}-{reason}"
    path = folder / f"{stem}{suffix}"
    count = 1
    while path.exists():
        count += 1
        path = folder / f"{stem}-{count}{suffix}"
    return path
