"""Recovery of a learner's damaged database, with all that the program works out anew behind it."""

from __future__ import annotations

from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.packs.sync import sync_installed
from studyattn.store import recovery
from studyattn.store.database import Database
from studyattn.store.recovery import Recovery
from studyattn.study.clock import Clock
from studyattn.study.review.rebuild import refold

__all__ = ["Recovery", "recover"]


def recover(home: Home, clock: Clock, *, dry_run: bool = False) -> Recovery:
    """Make a new database of what can be read of a damaged one and its newest good backup.

    The packs write their texts again, and every item's memory is worked out from the log. Raises
    NotFoundError, StoreError, and InputError for a database on a server.
    """
    if home.server is not None:
        raise InputError(
            "a server looks after its own files",
            where=home.database_shown,
            advice="Put a backup back with `studyattn db restore`.",
        )
    now = clock.now()

    def derive(database: Database) -> None:
        sync_installed(database, now)
        with database.write() as connection:
            refold(connection)

    return recovery.recover(home, derive, now=now, dry_run=dry_run)
