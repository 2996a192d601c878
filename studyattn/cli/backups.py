"""Backups as `studyattn db` makes and restores them.

The backup of a database file is a copy (`store.backup`), that of a database on a server an export
(`exchange.archive`). This module chooses between the two.
"""

from __future__ import annotations

from pathlib import Path

from studyattn.cli.app import Invocation
from studyattn.errors import InputError
from studyattn.exchange import archive
from studyattn.home import Home
from studyattn.store import backup, backup_files
from studyattn.store.backup_files import Backup
from studyattn.store.database import open_database
from studyattn.study.clock import SystemClock
from studyattn.study.review.rebuild import refold

ON_SERVER = (
    "It contains all your data as JSON Lines. Backing up the server itself is up to its owner."
)


def back_up(invocation: Invocation, reason: str = "manual") -> Backup:
    """Back up the database as it is now. Raises NotFoundError and StoreError."""
    now = SystemClock().now()
    if invocation.home.server is None:
        return backup.make(invocation.home, now=now, reason=reason)
    with open_database(invocation.home, now=now) as database:
        return archive.make(database, now=now, reason=reason)


def backups(home: Home) -> list[Backup]:
    """List the backups of the home's database, newest first."""
    return backup_files.list_backups(
        home, backup_files.SUFFIX if home.server is None else archive.SUFFIX
    )


def put_back(home: Home, name: str) -> tuple[Path, Path | str | None]:
    """Restore a backup. Return its path, and where what it replaced is kept, if anything is.

    Raises NotFoundError, StoreError, and InputError for a backup of the other kind of database.
    """
    now = SystemClock().now()
    path = backup_files.find(home, name)
    if home.server is None:
        if path.suffix == archive.SUFFIX:
            raise InputError(
                "this is not a copy of a database file",
                where=str(path),
                advice="Import its contents with `studyattn import`.",
            )
        return path, backup.restore(home, path, now=now)
    if path.suffix == backup_files.SUFFIX:
        raise InputError(
            "this is a copy of a database file",
            where=str(path),
            advice="Import its contents with `studyattn db merge`.",
        )
    return path, archive.restore(home, path, refold, now=now)
