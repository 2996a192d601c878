"""What stands on Today when the learner's cards could not be opened: what happened, what to do."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.tui.formatting import join_lines, paragraph

if TYPE_CHECKING:
    from studyattn.store.backup_files import Backup

_TEXT = 72


def draw_failed(width: int) -> Content:
    """Something hinders opening that may pass, or that the message told how to mend."""
    return _page(
        "Your cards could not be opened",
        width,
        "Nothing was changed, and nothing is lost.",
        "When you have done what the message said, try again with r.",
    )


def draw_damaged(damage: str, backup: Backup | None, utc_offset: int, width: int) -> Content:
    """The database is damaged: the newest good backup is offered, if there is one."""
    if backup is None:
        return _page(
            "The database is damaged",
            width,
            f"{damage} It was left exactly as it is.",
            "There is no good backup of it in the home's folder “backups”. If you have one "
            "elsewhere, put it in place with `studyattn db restore FILE`. What can still be read "
            "of a damaged file, the command `sqlite3 studyattn.db .recover` shows.",
        )
    made_at = backup.made_at + timedelta(minutes=utc_offset)
    return _page(
        "The database is damaged",
        width,
        f"{damage} It was left exactly as it is.",
        f"The newest good backup was made on {made_at:%a} {made_at.day} {made_at:%b %Y} at "
        f"{made_at:%H:%M}. Press r to put it in place: the damaged file is kept beside it, and "
        "only what you did after the backup is missing then.",
        f"Backup: {backup.path.name}",
    )


def _page(title: str, width: int, *texts: str) -> Content:
    lines = [Content(), Content.assemble(("✗ ", "$wrong bold"), (title, "bold")), Content()]
    for text in texts:
        lines += [*paragraph(text, min(width, _TEXT)), Content()]
    return join_lines(lines)
