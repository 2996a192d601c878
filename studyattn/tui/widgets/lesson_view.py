"""A page of a lesson as it is drawn: its text as far as it is unfolded, outputs, and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent

from rich.text import Text
from textual.content import Content

from studyattn.packs.model import Example, Page
from studyattn.study.lessons import Lesson, choices_of, is_predicted, why_wrong
from studyattn.text.render import CODE_INDENT
from studyattn.tui.formatting import count, join_lines, paragraph
from studyattn.tui.theme import Look
from studyattn.tui.widgets.card_face import verdict_styles
from studyattn.tui.widgets.rendered_text import face, line, palette

_MOST_NEEDED = 4
"""Titles of concepts that the last line of a page names."""


def draw_page(
    page: Page, given: Mapping[int, str], needed_for: Sequence[str], width: int, look: Look
) -> Text:
    """Return the page up to the first output that is asked and was not answered.

    `given` are the answers by part, "" where the output was shown without one.
    """
    drawn: list[Text] = []
    for number, part in enumerate(page.parts):
        if part.text:
            drawn.append(face(part.text, width, look))
        if part.asks is not None:
            if number not in given:
                drawn.append(_question(part.asks))
                return Text("\n\n").join(drawn)
            drawn.append(_answered(part.asks, given[number], look))
            if reason := why_wrong(part.asks, given[number]):
                drawn.append(face(reason, width, look))
    if needed_for:
        drawn.append(_needed(needed_for, width, look))
    return Text("\n\n").join(drawn)


def draw_contents(lesson: Lesson, at: int, width: int) -> Content:
    """Return the titles of a lesson's pages: those that were read, and the open one."""
    lines = [Content.styled("This lesson", "$accent bold")]
    read = len(lesson.pages) if lesson.page is None else lesson.page
    for number, page in enumerate(lesson.pages):
        mark = Content.styled("✓ ", "$right") if number < max(read, at) else Content("  ")
        if number == at:
            mark = Content.styled("▸ ", "$accent bold")
        style = "bold" if number == at else "" if number < read else "$quiet"
        title = paragraph(Content.styled(line(page.title), style), width - 2)
        lines += [
            Content.assemble(mark if row == 0 else "  ", each) for row, each in enumerate(title)
        ]
        if number == at and page.cards:
            cards = f"then {count(len(page.cards), 'card')} on it"
            lines.append(Content.styled(f"  {cards}", "$quiet"))
    return join_lines(lines)


def _question(example: Example) -> Text:
    text = Text("What will it print?", style="bold")
    for number, choice in enumerate(choices_of(example), start=1):
        text.append_text(Text.assemble("\n", (f"  {number}  ", "bold"), choice))
    return text


def _answered(example: Example, given: str, look: Look) -> Text:
    """Return the output, below what was given: with a sign, right or wrong."""
    right, wrong = verdict_styles(look)
    printed = indent(example.output.rstrip(), " " * CODE_INDENT)
    if not given:
        return Text(printed, style="bold")
    if is_predicted(example, given):
        return Text.assemble((printed, "bold"), ("   ✓ as you predicted", right))
    return Text.assemble((printed, "bold"), ("   ✗ ", wrong), (f"you said {given}", wrong))


def _needed(titles: Sequence[str], width: int, look: Look) -> Text:
    named = ", ".join(titles[:_MOST_NEEDED])
    more = f" and {len(titles) - _MOST_NEEDED} more" if len(titles) > _MOST_NEEDED else ""
    wrapped = join_lines(paragraph(f"needed for: {named}{more}", width)).plain
    lines = [line.strip().rjust(width) for line in wrapped.splitlines()]
    return Text("\n".join(lines), style=palette(look).marker)
