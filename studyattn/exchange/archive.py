"""Backups of a database on a server: everything the learner has, as JSON Lines in the home.

A file's backup is a copy of the file (`store.backup`). A server keeps its own; what a learner can
take away is the documented exchange format, which any database takes in again. It is read back
before it counts, and is never thinned.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from studyattn.errors import DamagedDatabaseError, InputError, StoreError
from studyattn.exchange.json_lines import read_file, write_lines
from studyattn.exchange.merge.merge_into import Refold
from studyattn.exchange.save_file import save_text
from studyattn.home import Home
from studyattn.store.backup_files import Backup, free_name
from studyattn.store.database import Database, open_database
from studyattn.store.migrate import make_anew, set_schema_aside
from studyattn.store.queries.snapshot import apply_snapshot, load_snapshot
from studyattn.store.snapshot import Snapshot

SUFFIX: Final = ".jsonl"


def make(database: Database, *, now: datetime, reason: str = "manual") -> Backup:
    """Write out all that the database holds at this moment. Raises StoreError."""
    with database.read() as connection:
        held = load_snapshot(connection)
    made_at = now.astimezone(UTC).replace(microsecond=0)
    target = free_name(database.home.backups, made_at, reason, SUFFIX)
    try:
        save_text(target, "".join(f"{line}\n" for line in write_lines(held)))
        is_whole = read(target) == held
    except InputError as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"no backup was made: {error.message}", where=str(target)) from error
    if not is_whole:
        target.unlink()
        raise StoreError("the backup does not match the database", where=str(target))
    return Backup(target, made_at, reason)


def read(path: Path) -> Snapshot:
    """Read a backup. Raises DocumentError (file:line), or InputError."""
    try:
        return read_file(path)
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error


def restore(home: Home, path: Path, refold: Refold, *, now: datetime) -> Path | str:
    """Put what a backup holds in the place of all that the learner has on the server.

    What was there is kept as another backup, whose place is returned, or if it is damaged in a
    schema of another name. One transaction: when something is wrong, nothing was changed. Raises
    DocumentError, InputError and StoreError.
    """
    held = read(path)
    aside: str | None = None
    try:
        database = open_database(home, now=now)
    except DamagedDatabaseError:
        aside = set_schema_aside(home, now)
        database = open_database(home, now=now)
    with database:
        kept = aside or make(database, now=now, reason="before-restore").path
        with database.write() as connection:
            make_anew(connection, home)
            apply_snapshot(connection, Snapshot(), held)
            refold(connection, None)
    return kept
