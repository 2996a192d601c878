"""The page of one concept: state, what it needs, explanation, cards and how long they hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content

from studyattn.tui.layout import count, join_lines, pad, paragraph, short_date
from studyattn.tui.theme import Look
from studyattn.tui.widgets.face import face
from studyattn.tui.widgets.face import line as plain_line

if TYPE_CHECKING:
    from studyattn.packs.model import Erratum
    from studyattn.study.conceptpage import ConceptPage, ItemLine

NAMES = {"unseen": "unseen", "known-unknown": "known unknown", "known": "known"}
"""The states as a reader says them, in the order in which a concept goes through them."""

_SIGNS = {"unseen": ("○", "$quiet"), "known-unknown": ("●", "$wrong"), "known": ("✓", "$right")}


def sign(state: str) -> Content:
    """The sign of a state, in its colour."""
    character, style = _SIGNS[state]
    return Content.styled(character, style)


def draw(
    page: ConceptPage, errata: Sequence[Erratum], today: date, look: Look, width: int
) -> Content:
    """Everything known of the concept, and what sources get wrong, for `width` columns."""
    line = page.line
    lines = [Content.assemble(sign(line.state), " ", (line.title, "bold"))]
    origin = line.source or (f"pack {line.pack}" if line.pack else "")
    about = " · ".join(part for part in (NAMES[line.state], origin) if part)
    lines.append(Content.styled(about, "$quiet"))
    for label, others in (
        ("Requires", page.requires),
        ("Unlocks", page.unlocks),
        ("Joined", page.joined),
    ):
        if others:
            titles = ", ".join(title for _, title in others)
            lines += paragraph(Content.assemble((f"{label}  ", "$quiet"), titles), width)
    if page.suggestion is not None:
        text = f"{page.suggestion.reason} Move it to {NAMES[page.suggestion.to_state]}?"
        lines += [Content(), *paragraph(Content.assemble(("→ ", "$accent"), text), width)]
    blocks = [join_lines(lines)]
    if page.body.strip():
        blocks.append(_from_rich(face(page.body, width, look)))
    if errata:
        blocks.append(_heading("What sources get wrong"))
        blocks += [_from_rich(face(_erratum(each), width, look)) for each in errata]
    if page.items:
        blocks.append(join_lines([_heading("Cards"), *(_item(each, width) for each in page.items)]))
    if page.mistakes:
        seen = [
            Content(f"{mistake.title}  {count(mistake.times, 'time')}") for mistake in page.mistakes
        ]
        blocks.append(join_lines([_heading("Mistakes seen"), *seen]))
    if page.changes:
        blocks.append(join_lines([_heading("Changes"), *_changes(page, today, width)]))
    return Content("\n\n").join(blocks)


def _erratum(erratum: Erratum) -> str:
    """Markdown: what the source says beside what the numbers say."""
    return (
        f"**{erratum.title}**\n\n"
        f"*Your source says* ({erratum.source}): {erratum.says}\n\n"
        f"*The numbers say:* {erratum.right}"
    )


def _from_rich(text: Text) -> Content:
    return Content.from_rich_text(text)


def _heading(text: str) -> Content:
    return Content.styled(text, "$accent bold")


_HOLDS = 12


def _item(item: ItemLine, width: int) -> Content:
    """Title, and for how many days the card holds."""
    if item.suspended:
        holds = "suspended"
    elif item.stability is None:
        holds = "new"
    else:
        holds = f"{item.stability:.0f} d"
    title = f"drill {item.title}" if item.kind == "drill" else plain_line(item.title)
    return Content.assemble(
        pad(title, max(10, width - _HOLDS)),
        pad(Content.styled(holds, "$quiet"), _HOLDS, right=True),
    )


def _changes(page: ConceptPage, today: date, width: int) -> list[Content]:
    lines: list[Content] = []
    for change in reversed(page.changes):
        reason = f": {change.reason}" if change.reason else ""
        text = f"{NAMES[change.from_state]} → {NAMES[change.to_state]}{reason}"
        day = short_date(change.at.date(), today)
        lines += paragraph(Content.assemble((f"{day}  ", "$quiet"), text), width)
    return lines
