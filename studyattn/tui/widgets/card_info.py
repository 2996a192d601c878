"""What there is to know about an item: where it comes from, its memory, where to read more."""

from __future__ import annotations

from datetime import date

from textual.content import Content

from studyattn.memory.state import Remembered
from studyattn.study.review.views import RenderedCard
from studyattn.tui.formatting import count, join_lines, paragraph, short_date, when

_LABEL = 13


def draw(shown: RenderedCard, today: date, utc_offset: int, width: int) -> Content:
    """The page behind `i`."""
    rows: list[tuple[str, str]] = [("Concept", shown.concept_title)]
    if shown.source_title:
        rows.append(("Source", shown.source_title))
    if shown.pack:
        rows.append(("Pack", shown.pack))
    rows += [("Kind", shown.card_kind or shown.kind), ("Guid", shown.guid), ("", "")]
    if shown.brought_back:
        rows += [("Back", shown.brought_back), ("", "")]
    rows += _memory(shown, today, utc_offset)
    lines = [line for label, value in rows for line in _row(label, value, width)]
    links = shown.extra.get("links", ())
    if links:
        lines += [Content(), Content.styled("Read more", "$quiet")]
        for link in links:
            lines += paragraph(link["text"], width)
            lines += paragraph(Content.styled(link["address"], "$quiet"), width)
    return join_lines(lines)


def _memory(shown: RenderedCard, today: date, utc_offset: int) -> list[tuple[str, str]]:
    memory = shown.memory
    if not isinstance(memory, Remembered):
        return [("Reviews", "none yet: it is new")]
    return [
        ("Reviews", f"{memory.reps}, of which {count(memory.lapses, 'lapse')}"),
        ("Last review", short_date(memory.last_day, today)),
        ("Due", when(memory.due, utc_offset, today)),
        ("Phase", memory.phase.value),
        ("Stability", f"{memory.stability:.1f} d: so long until recall falls to 90 %"),
        ("Difficulty", f"{memory.difficulty:.1f} of 10"),
    ]


def _row(label: str, value: str, width: int) -> list[Content]:
    lines = paragraph(value, width - _LABEL) if value else [Content()]
    return [
        Content.assemble((f"{label if row == 0 else '':<{_LABEL}}", "$quiet"), line)
        for row, line in enumerate(lines)
    ]
