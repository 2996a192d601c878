"""The pages of a drill beside its code: brief, hints, and the lines that say where one is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from textwrap import indent
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.content import Content
from textual.style import Style

from studyattn.study.practice.drill_views import FileState
from studyattn.tui.actions import action
from studyattn.tui.formatting import elapsed
from studyattn.tui.theme import Look
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.tui.drill.controller import DrillState


class DrillPage(StrEnum):
    """What the drill screen shows in its reading pane, or, where it is narrow, at all."""

    CODE = "code"
    BRIEF = "brief"
    HINTS = "hints"
    HISTORY = "history"
    VERDICT = "verdict"


_LETTERS: dict[DrillPage, str] = {
    page: action(f"drill.{page.value}").shown_key
    for page in DrillPage
    if page is not DrillPage.HINTS
}
"""What opens a page, also a letter of its name; opening the hints reveals one."""

TROUBLES = {
    FileState.MISSING: "the file is gone; ^s writes it again",
    FileState.FOLDER: "a folder has the file's name; move it away, then ^s",
    FileState.UNREADABLE: "the file cannot be read; check who may read it",
}
"""What to say of a file that is not as it should be."""


def tabs(pages: Sequence[tuple[DrillPage, str]], present: DrillPage) -> Content:
    """The pages by name, each with a remark; the present one stands out. A click opens one.

    The letter of a name that opens the page is underlined.
    """
    parts = []
    for page, remark in pages:
        style = "$accent bold" if page is present else "$quiet"
        before, letter, after = page.value.partition(_LETTERS.get(page, page.value))
        marked = f"{style} underline" if page in _LETTERS else style
        name = Content.assemble((before, style), (letter, marked), (after, style))
        part = Content.assemble(name, " ", remark) if remark else name
        parts.append(part.stylize(Style.from_meta({"@click": f"screen.page('{page.value}')"})))
    return Content("   ").join(parts)


def about(bench: DrillState, report: Mapping[str, Any] | None, dirty: bool, waits: bool) -> str:
    """The right end of the first line: what goes on, attempts, time, and what graded last."""
    parts = ["grading …"] if waits else []
    parts += ["● not saved"] if dirty else []
    parts += [f"attempt {bench.attempts}"] if bench.attempts else []
    parts.append(elapsed(bench.seconds))
    parts += [report["backend"], report["device"]] if report else []
    return "   ".join(parts)


def brief(bench: DrillState, width: int, look: Look) -> Text:
    """Task, formula, shapes, example."""
    shown = bench.brief
    return face(f"# {shown.title}\n\n{shown.text}", width, look)


def hints(bench: DrillState, width: int, look: Look) -> Text:
    """The hints that were revealed, and how to get the next."""
    parts = [
        f"{number}. {indent(text, '   ').lstrip()}"
        for number, text in enumerate(bench.hints, start=1)
    ]
    left = len(bench.brief.hints) - len(bench.hints)
    if not left:
        parts.append("*There are no more hints. `s` shows the solution.*")
    elif bench.hints:
        parts.append(f"*`h` reveals the next one, {left} left.*")
    else:
        parts.append(
            f"There are {left} hints, from vague to nearly the answer. `h` reveals the first."
            "\n\n*Each one is taken into the rating that is suggested at the end.*"
        )
    return face("\n\n".join(parts), width, look)
