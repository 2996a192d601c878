"""Explaining a concept: a few lines in one's own words, then the key points to tick beside them.

The text is written in the dialog that every longer text is written in. What the points come to is
rated and kept by `study.concepts.explaining`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from textual import events
from textual.content import Content

from studyattn.errors import NotFoundError
from studyattn.study.concepts import explaining
from studyattn.study.concepts.explaining import Explanation
from studyattn.study.review.recorder import RecordedReview
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.formatting import Lines, beside, join_lines
from studyattn.tui.screens.base import ReadingScreen, queued
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import face, lines_of

_BESIDE = 130  # columns from which the text is beside the points
_SIGNS = 8  # columns before a point: pointer, number, box
_BETWEEN = 4
_ALOUD = Content.styled("given aloud", "italic $quiet")
_LINES = 12
_HOW = "Write a few lines from memory, as if to a friend. Then compare with the key points."
_BEFORE = f"Do this before you mark it known. {_HOW} Escape skips this."


class ExplainScreen(ReadingScreen, global_keys=False):
    """The concept `slug` is explained, compared and rated; escape leaves it unrated."""

    SCOPE = "Explaining a concept"
    OPENING = "In your own words"
    _explanation: Explanation

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
        self._text: str | None = None  # None: not written yet
        self._said: set[int] = set()
        self._chosen = 0
        self._began: datetime | None = None

    async def load(self) -> None:
        if self.is_loaded:
            return
        try:
            self._explanation = await self.study(explaining.read_explanation, slug=self._slug)
        except NotFoundError as error:
            self._close()
            self.notify(str(error), markup=False)
            return
        self._began = self.services.clock.now()
        self.action_write()  # once this is done

    def draw(self) -> None:
        if self._text is None:
            self.headline(self.OPENING)
            return
        self.headline(f"In your own words: {self._explanation.title}", self.date_text())
        width = self.width
        half = (width - _BETWEEN) // 2 if width >= _BESIDE else width
        own, points = Lines(half), Lines(half)
        own.add(("Your explanation", "$accent bold"))
        own.add()
        own.lines += lines_of(face(self._text, half)) if self._text.strip() else [_ALOUD]
        points.add(("Which of these did you cover?", "$accent bold"))
        points.add()
        for number, point in enumerate(self._explanation.points):
            pointer = ("▸ " if number == self._chosen else "  ", "$accent bold")
            box = ("[✓] ", "$right") if number in self._said else "[ ] "
            signs = Content.assemble(pointer, (f"{number + 1} ", "italic $quiet"), box)
            points.wrap(Content.from_rich_text(face(point, half - _SIGNS)), mark=signs)
        points.add()
        points.add(f"{len(self._said)} of {len(self._explanation.points)}: {self._rating}")
        if width >= _BESIDE:
            self.read(join_lines(beside(own.lines, points.lines, half + _BETWEEN)))
        else:
            self.read(join_lines([*own.lines, Content(), *points.lines]))

    def hints(self) -> Offers:
        if self._text is None:
            return (("back", "not now"),)
        points = len(self._explanation.points)
        keys = ("tick", "", f"space 1–{points}"), ("rate", f"done: {self._rating}")
        return (*keys, "write concept", ("back", "not now"))

    @property
    def _rating(self) -> str:
        return explaining.rating_of(len(self._said), len(self._explanation.points)).name.lower()

    # What the keys do.

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and self._text is not None:
            event.stop()
            self.action_tick(int(event.key))

    def action_write(self) -> None:
        editor = EditorScreen(
            f"Explain in your own words: {self._explanation.title}",
            Field("text", "", self._text or "", _LINES),
            explanation=_HOW if self._left is None else _BEFORE,
            save="compare",
            leave="not now",
        )

        def written(answer: Written | None) -> None:
            if answer is not None:
                self._text = answer["text"]
                self.reading.focus()
                self.redraw()
            elif self._text is None:
                self._close()

        self.app.push_screen(editor, written)

    def action_step(self, by: int) -> None:
        self._chosen = (self._chosen + by) % len(self._explanation.points)
        self.draw()

    def action_tick(self, number: int = 0) -> None:
        if number > len(self._explanation.points):
            return
        if number:
            self._chosen = number - 1
        self._said ^= {self._chosen}
        self.redraw()

    async def action_rate(self) -> None:
        if self._text is None:
            return
        now = self.services.clock.now()
        seconds = (now - (self._began or now)).total_seconds()
        slug, text, said = self._slug, self._text, self._said
        done = await self.study(
            explaining.explain, slug=slug, text=text, said=said, seconds=seconds
        )
        self._text = None  # it is a note now
        told = f"{done.said} of {done.points} key points: {done.rating.name.lower()}"
        self.notify(f"{told}, again {self.days().when(done.due)}", markup=False)
        if self._rated is not None:
            self._rated(done.recorded)
        self._close()

    def action_concept(self) -> None:
        self.go("concept", self._slug, explains=True)

    @queued
    async def action_back(self) -> None:
        if await self._keep_as_note():
            self.notify("not rated; your text is saved as a note", markup=False)
        self._close()

    async def on_unmount(self) -> None:
        """Keep what was written as a note if the app quits before it is rated."""
        if self.database.is_open:
            await self._keep_as_note()

    async def _keep_as_note(self) -> bool:
        text, self._text = self._text, None
        if text is None or not text.strip():
            return False
        await self.study(explaining.keep, slug=self._slug, text=text)
        return True

    def _close(self) -> None:
        self.services.back()
        if self._left is not None:
            self._left()
