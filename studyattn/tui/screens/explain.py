"""Explaining a concept: a few lines in one's own words, then the key points to tick beside them.

The text is written in the dialog that every longer text is written in. What the points come to is
rated and kept by `study.concepts.explaining`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import partial

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import events
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import NotFoundError
from studyattn.study.concepts import explaining
from studyattn.study.concepts.explaining import Explained, Explanation, rating_of
from studyattn.study.review.recorder import RecordedReview
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.theme import Look
from studyattn.tui.widgets.card_face import verdict_styles
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.rendered_text import face, palette

_LINES = 12
_HOW = "Write a few lines from memory, as if to a friend. Then compare with the key points."
_BEFORE = f"Do this before you mark it known. {_HOW} Escape skips this."


class ExplainScreen(StudyScreen, global_keys=False):
    """The concept `slug` is explained, compared and rated; escape leaves it unrated."""

    SCOPE = Scope.EXPLAIN
    CSS_PATH = "explain.tcss"

    def __init__(
        self,
        slug: str,
        *,
        rated: Callable[[RecordedReview], None] | None = None,
        left: Callable[[], None] | None = None,
    ) -> None:
        """`rated` is told of the review; `left` is called when the screen closes, rated or not."""
        super().__init__()
        self._slug = slug
        self._rated, self._left = rated, left
        self._explanation: Explanation | None = None
        self._text: str | None = None  # None: not written yet
        self._said: set[int] = set()
        self._chosen = 0
        self._began: datetime | None = None

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="explanation", classes="page"):
            yield Static(id="page", markup=False)

    async def load(self) -> None:
        if self._explanation is None:
            try:
                self._explanation = await self.database.run_with_profile(
                    partial(explaining.read_explanation, slug=self._slug)
                )
            except NotFoundError as error:
                self._close()
                self.services.notify(str(error), markup=False)
                return
            self._began = self.services.clock.now()
            self.action_write()

    def draw(self) -> None:
        explanation = self._explanation
        if explanation is None or self._text is None:
            self.headline("In your own words")
            return
        self.headline(f"In your own words: {explanation.title}", self.date_text())
        self.query_one("#page", Static).update(
            draw_explanation(
                explanation,
                self._text,
                self._said,
                self._chosen,
                self.size.width - 7,
                self.services.look,
            )
        )

    def hints(self) -> Iterable[Hint]:
        if self._explanation is not None and self._text is not None:
            points = len(self._explanation.points)
            rating = explaining.rating_of(len(self._said), points)
            yield hint("explain.tick", key=f"space 1–{points}")
            yield hint("explain.rate", f"done: {rating.name.lower()}")
            yield hint("explain.write")
            yield hint("explain.concept")
        yield hint("back", "not now")

    # What the keys do.

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and self._text is not None:
            event.stop()
            self.action_tick(int(event.key))

    def action_write(self) -> None:
        explanation = self._explanation
        if explanation is None:
            return
        editor = EditorScreen(
            f"Explain in your own words: {explanation.title}",
            Field("text", "", self._text or "", _LINES),
            explanation=_HOW if self._left is None else _BEFORE,
            save="compare",
            leave="not now",
        )

        def written(answer: Written | None) -> None:
            if answer is not None:
                self._text = answer["text"]
                self.query_one("#explanation").focus()
                self.draw()
                self.show_hints()
            elif self._text is None:
                self._close()

        self.app.push_screen(editor, written)

    def action_step(self, by: int) -> None:
        if self._explanation is not None:
            self._chosen = (self._chosen + by) % len(self._explanation.points)
            self.draw()

    def action_tick(self, number: int = 0) -> None:
        if self._explanation is None or number > len(self._explanation.points):
            return
        if number:
            self._chosen = number - 1
        self._said ^= {self._chosen}
        self.draw()
        self.show_hints()

    @queued
    async def action_rate(self) -> None:
        if self._explanation is None or self._text is None:
            return
        now = self.services.clock.now()
        seconds = (now - (self._began or now)).total_seconds()
        done = await self.database.run_with_profile(
            partial(
                explaining.explain,
                slug=self._slug,
                text=self._text,
                said=self._said,
                seconds=seconds,
            )
        )
        self._text = None  # it is a note now
        self._tell(done)
        if self._rated is not None:
            self._rated(done.recorded)
        self._close()

    def _tell(self, done: Explained) -> None:
        due = self.days().when(done.due)
        self.services.notify(
            f"{done.said} of {done.points} key points: {done.rating.name.lower()}, again {due}",
            markup=False,
        )

    def action_concept(self) -> None:
        self.go("concept", self._slug, explains=True)

    @queued
    async def action_back(self) -> None:
        if await self._keep_as_note():
            self.services.notify("not rated; your text is saved as a note", markup=False)
        self._close()

    async def on_unmount(self) -> None:
        """Keep what was written as a note if the app quits before it is rated."""
        if self.database.is_open:
            await self._keep_as_note()

    async def _keep_as_note(self) -> bool:
        text, self._text = self._text, None
        if text is None or not text.strip():
            return False
        await self.database.run_with_profile(partial(explaining.keep, slug=self._slug, text=text))
        return True

    def _close(self) -> None:
        self.services.back()
        if self._left is not None:
            self._left()


_BESIDE = 130
"""Columns from which the text is beside the points."""

_SIGNS = 8  # columns before a point: pointer, number, box
_BETWEEN = 4


def draw_explanation(  # noqa: PLR0917 - what is seen, and where
    explanation: Explanation,
    text: str,
    said: Collection[int],
    chosen: int,
    width: int,
    look: Look,
) -> RenderableType:
    """Return the page in `width` columns; `said` and `chosen` are numbers of points, from 0."""
    beside = width >= _BESIDE
    half = (width - _BETWEEN) // 2 if beside else width
    style = palette(look)
    own: list[RenderableType] = [Text("Your explanation", style.heading), Text()]
    if text.strip():
        own.append(face(text, half, look))
    else:
        own.append(Text("given aloud", style.quote))
    points: list[RenderableType] = [Text("Which of these did you cover?", style.heading), Text()]
    for number, point in enumerate(explanation.points):
        points.append(_point(number, point, number in said, number == chosen, half, look))
    points += [Text(), _share(explanation, said)]
    if not beside:
        return Group(*own, Text(), *points)
    grid = Table.grid(padding=(0, _BETWEEN, 0, 0))
    grid.add_column(width=half)
    grid.add_column(width=half)
    grid.add_row(Group(*own), Group(*points))
    return grid


def _point(  # noqa: PLR0917 - a row of the list
    number: int, point: str, said: bool, chosen: bool, width: int, look: Look
) -> Table:
    right, _ = verdict_styles(look)
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(width=1)
    row.add_column(width=1)
    row.add_column(width=3)
    row.add_column()
    row.add_row(
        Text("▸" if chosen else "", palette(look).heading),
        Text(str(number + 1), palette(look).quote),
        Text("[✓]", right) if said else Text("[ ]"),
        face(point, width - _SIGNS, look),
    )
    return row


def _share(explanation: Explanation, said: Collection[int]) -> Text:
    rating = rating_of(len(said), len(explanation.points)).name.lower()
    return Text(f"{len(said)} of {len(explanation.points)}: {rating}")
