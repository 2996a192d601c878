"""The pages of a drill beside its code: brief, hints, history, and the line that names them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from rich.text import Text
from textual.content import Content
from textual.style import Style

from studyattn.packs.model import DrillBrief
from studyattn.study.drillviews import FileState, Version, VersionKind
from studyattn.tui.layout import count
from studyattn.tui.theme import Look
from studyattn.tui.widgets.face import face
from studyattn.tui.widgets.verdict import sign


class Page(StrEnum):
    """What the drill screen shows in its reading pane, or, where it is narrow, at all."""

    CODE = "code"
    BRIEF = "brief"
    HINTS = "hints"
    HISTORY = "history"
    VERDICT = "verdict"


TROUBLES = {
    FileState.MISSING: "the file is gone; ^s writes it again",
    FileState.FOLDER: "a folder has the file's name; move it away, then ^s",
    FileState.UNREADABLE: "the file cannot be read; check who may read it",
}
"""What to say of a file that is not as it should be."""


def tabs(pages: Sequence[tuple[Page, str]], present: Page) -> Content:
    """The pages by name, each with a remark; the present one stands out. A click opens one."""
    parts = []
    for page, remark in pages:
        style = "$accent bold underline" if page is present else "$quiet"
        name = Content.styled(page.value, style)
        part = Content.assemble(name, " ", remark) if remark else name
        parts.append(part.stylize(Style.from_meta({"@click": f"screen.page('{page.value}')"})))
    return Content("   ").join(parts)


def brief(shown: DrillBrief, width: int, look: Look) -> Text:
    """Task, formula, shapes, example."""
    return face(f"# {shown.title}\n\n{shown.text}", width, look)


def hints(shown: DrillBrief, seen: Sequence[str], width: int, look: Look) -> Text:
    """The hints that were revealed, and how to get the next."""
    parts = [f"**{number}**  {text}" for number, text in enumerate(seen, start=1)]
    left = len(shown.hints) - len(seen)
    if left:
        parts.append(f"*h reveals the next hint: {left} left. Each is taken into the rating.*")
    else:
        parts.append("*There are no more hints. s shows the solution.*")
    return face("\n\n".join(parts), width, look)


def version_row(version: Version, offset: int, today: datetime) -> Content:
    """One version: number, when, verdict, mistakes."""
    local = version.at + timedelta(minutes=offset)
    day = f"{local:%H:%M}" if local.date() == today.date() else f"{local.day} {local:%b}"
    kept = version.kind is VersionKind.KEPT
    mark = sign(version.verdict)
    style = "$right" if mark == "✓" else "$wrong"
    words = "kept" if kept else " ".join(version.misconceptions) or (version.verdict or "")
    return Content.assemble(
        (f"{version.number:>3}  ", "$quiet"),
        (f"{mark or ' '} ", style),
        (f"{day:<7}", "$quiet" if not version.current else ""),
        f"{words}  ",
        (f"{count(version.hints, 'hint')}" if version.hints else "", "$quiet"),
    )
