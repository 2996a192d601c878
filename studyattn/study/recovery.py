"""Recovery of a learner's damaged database, with all that the program works out anew behind it."""

from __future__ import annotations

from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.packs.installed import sync_installed
from studyattn.paths import shown
from studyattn.store import recovery
from studyattn.store.database import Database
from studyattn.store.recovery import Recovery
from studyattn.study.clock import Clock
from studyattn.study.review.rebuild import refold

__all__ = ["Recovery", "recover", "recovery_lines", "recovery_rows", "unread"]


def recover(home: Home, clock: Clock, *, dry_run: bool = False) -> Recovery:
    """Make a new database of what can be read of a damaged one and its newest good backup.

    The packs write their texts again, and every item's memory is worked out from the log. Raises
    NotFoundError, StoreError, and InputError for a database on a server.
    """
    if home.server is not None:
        raise InputError(
            "a server manages its own files",
            where=home.database_shown,
            advice="Restore a backup with `studyattn db restore`.",
        )
    now = clock.now()

    def derive(database: Database) -> None:
        sync_installed(database, now)
        with database.write() as connection:
            refold(connection)

    return recovery.recover(home, derive, now=now, dry_run=dry_run)


def recovery_lines(recovery: Recovery) -> list[str]:
    """Say what was wrong and how the two were joined, a line each."""
    joined = (
        f"Merged with the newest good backup: {shown(recovery.backup)}"
        if recovery.backup
        else "There is no good backup to merge."
    )
    lines = [f"The database is damaged: {recovery.findings[0]}.", joined]
    unplaced = sum(each.unplaced for each in recovery.tables)
    if unplaced:
        lines.append(f"Rows of the log whose item does not exist: {unplaced:,}. They are kept.")
    return [*lines, *filter(None, [unread(recovery)])]


def unread(recovery: Recovery) -> str:
    """Say what is lost when no row of the damaged file could be read; empty when one could."""
    if any(each.read for each in recovery.tables):
        return ""
    lost = "everything newer than the backup" if recovery.backup else "everything it held"
    return f"Nothing in the damaged file could be read: {lost} is lost."


def recovery_rows(recovery: Recovery) -> list[tuple[str, ...]]:
    """Say how much there is of each kind, as a table; what never was there is left out.

    Empty when there is nothing of any kind.
    """
    rows: list[tuple[str, ...]] = [("", "read", "from the backup", "lost")]
    for each in recovery.tables:
        lost = [f"{each.unusable:,} unreadable"] if each.unusable else []
        lost += [f"{each.missing:,} or more missing"] if each.missing else []
        if each.read or each.added or lost:
            name = _NAMES.get(each.table, each.table)
            rows.append((name, f"{each.read:,}", f"{each.added:,}", ", ".join(lost) or "none"))
    return rows if len(rows) > 1 else []


_NAMES = {
    "review": "answers and undone answers",
    "attempt": "attempts at drills",
    "practice_step": "steps in drills",
    "concept_change": "changes of concepts",
    "wording": "earlier wordings",
    "note": "notes",
    "item": "cards and drills",
    "card": "texts of cards",
    "concept": "concepts",
    "concept_requires": "links between concepts",
    "source": "sources",
    "brought_back": "cards brought back",
    "setting": "settings",
}
"""What the tables hold, in the learner's words."""
