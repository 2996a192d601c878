"""What stands beside a card in a wide terminal: where its concept stands, and the card's history.

It is read once the card is on the screen, so that no card waits for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content

from studyattn.study.review.views import RenderedCard, days_text
from studyattn.tui.formatting import (
    columns,
    count,
    join_lines,
    pad,
    paragraph,
    progress_bar,
    short_date,
)
from studyattn.tui.services import BESIDE, services_of
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.rating_bar import RATING_COLOURS
from studyattn.tui.widgets.side_panel import SidePanel

if TYPE_CHECKING:
    from studyattn.store.queries.concepts import NeighbourRow
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.review.beside import CardContext
    from studyattn.study.statistics.one_card import PastReview

WIDE = 128
"""Columns of the terminal from which there is room for it beside a card."""

_LISTED = 5
_ANSWERS = 8
_NAME = 20  # columns of the day and the rating of an answer
_BARS = 12
_BAR_LINES = 4


class CardSide(SidePanel):
    """Reads what is beside a card with `read`, after the card is drawn, and draws it."""

    DEFAULT_CSS = "CardSide { width: 46; padding: 1 3 0 3; }"

    def __init__(self, read: Callable[[RenderedCard], Awaitable[CardContext]], today: date) -> None:
        super().__init__()
        self._read = read
        self._today = today
        self._asked: RenderedCard | None = None
        self._read_for: RenderedCard | None = None
        self.context: CardContext | None = None

    def about(self, shown: RenderedCard | None) -> None:
        """Be beside this card: what is known of it is read after the next frame.

        It is read beside the screen's queue, so that no key waits for it. A later card drops it.
        """
        self.display = shown is not None and self.screen.size.width >= WIDE
        if shown is self._asked and not self._is_behind:
            return
        self._asked = shown
        if self.display:
            self.call_after_refresh(self._look_up)

    @work(group=BESIDE, exclusive=True, exit_on_error=False)
    async def _look_up(self) -> None:
        asked = self._asked
        if asked is None or not self._is_behind or not self.is_mounted:
            return
        try:
            found = await self._read(asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            services_of(self.screen).show_error(error)
            return
        if asked is self._asked and self.is_mounted:
            self._read_for, self.context = asked, found
            self.show(partial(draw, found, self._today), anew=True)

    @property
    def _is_behind(self) -> bool:
        """True while something else is drawn than what stands beside the card."""
        return self._asked is not self._read_for


def draw(context: CardContext, today: date, width: int) -> Content:
    """Return the side of a card, in `width` columns."""
    return join_lines(
        [
            *_concept(context.concept, width),
            *_neighbours("Needs", context.requires, width),
            *_neighbours("Leads to", context.unlocks, width),
            Content(),
            *_history(context, today, width),
        ]
    )


def _concept(line: ConceptLine, width: int) -> Iterator[Content]:
    yield from paragraph(Content.styled(line.title, "bold"), width)
    yield Content.assemble(sign(line.state), " ", (NAMES[line.state], "$quiet"))
    if line.cards:
        held = f"{line.held} of {count(line.cards, 'card')} held"
        yield Content.assemble(
            progress_bar(line.held / line.cards, 12), ("  ", ""), (held, "$quiet")
        )


def _neighbours(title: str, rows: Sequence[NeighbourRow], width: int) -> Iterator[Content]:
    if not rows:
        return
    yield Content()
    yield Content.styled(title, "$quiet")
    for row in rows[:_LISTED]:
        yield Content.assemble(sign(row.state), " ", pad(row.title, width - 2).rstrip())
    if len(rows) > _LISTED:
        yield Content.styled(f"  and {len(rows) - _LISTED} more", "$quiet")


def _history(context: CardContext, today: date, width: int) -> Iterator[Content]:
    """The card's answers, the last ones, and how its stability grew."""
    yield Content.styled("This card", "bold")
    answers = context.answers
    if not answers:
        yield Content.styled("is new: this is its first review.", "$quiet")
        return
    recall = "" if context.recall is None else f", {round(100 * context.recall)}% recall now"
    yield Content.styled(f"{count(len(answers), 'answer')}{recall}", "$quiet")
    yield Content()
    yield Content.styled(f"{'':{_NAME}}{'took':>7}{'holds':>{width - _NAME - 7}}", "$quiet")
    for answer in reversed(answers[-_ANSWERS:]):
        yield _answer(answer, today, width)
    if len(answers) > _ANSWERS:
        yield Content.styled(f"and {len(answers) - _ANSWERS} before", "$quiet")
    if len(answers) > 1:
        yield Content()
        yield from _stability(answers[-_BARS:])


def _answer(answer: PastReview, today: date, width: int) -> Content:
    name = answer.rating.name.lower()
    day, then = f"{short_date(answer.day, today):<12}", days_text(answer.stability)
    return Content.assemble(
        (day, "$quiet"),
        (f"{int(answer.rating)} {name:<6}", RATING_COLOURS[answer.rating]),
        (f"{answer.seconds:.0f} s".rjust(7), "$quiet"),
        then.rjust(width - _NAME - 7),
    )


def _stability(answers: Sequence[PastReview]) -> Iterator[Content]:
    """Bars of the stability after each answer, each in the colour of its rating."""
    days = [answer.stability for answer in answers]
    yield Content.styled("Stability after each", "$quiet")
    scaled = [max(1, round(1000 * day / max(days))) if max(days) > 0 else 0 for day in days]
    for line in columns(scaled, _BAR_LINES, width=1, gap=1):
        cells = [
            Content.styled(2 * cell, RATING_COLOURS[answer.rating])
            for cell, answer in zip(line[::2], answers, strict=True)
        ]
        yield Content(" ").join(cells)
