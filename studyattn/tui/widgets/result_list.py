"""What a search found, one of them chosen: two lines each, drawn anew with every key.

Only what is in view is made and drawn, in one go and without laying the screen out again: that is
most of the time between a key press and its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from studyattn.study.notes.excerpt import with_formulas
from studyattn.text.characters import without_controls
from studyattn.tui.formatting import pad

if TYPE_CHECKING:
    from studyattn.store.search import MarkedText
    from studyattn.study.notes.search import Result

_LINES: Final = 2
"""Lines of one result."""
_MARK: Final = 2
"""Columns before it, in which the chosen one has its sign."""
_KIND: Final = 9
"""Columns of the kind before a title."""


class ResultList(Widget):
    """Shows results; `chosen` is the place of one of them. A click runs `screen.pick(place)`."""

    DEFAULT_CSS = "ResultList { width: 100%; height: 1fr; }"

    results: reactive[tuple[Result, ...]] = reactive(())
    chosen: reactive[int] = reactive(0)
    otherwise: reactive[str] = reactive("")
    """Said when there are no results."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.auto_links = False  # a row can be clicked and keeps its colours
        self._first = 0

    def show(self, results: Sequence[Result]) -> None:
        """Show these, the first one chosen."""
        self._first = 0
        self.chosen = 0
        self.results = tuple(results)

    @property
    def current(self) -> Result | None:
        """The chosen result."""
        return self.results[self.chosen] if self.results else None

    def step(self, by: int) -> None:
        """Choose another one, so many below."""
        if self.results:
            self.chosen = max(0, min(len(self.results) - 1, self.chosen + by))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.step(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.step(-1)

    def render(self) -> Content:
        """The rows in view, the chosen one among them."""
        if not self.results:
            text = Content.styled(self.otherwise, "$quiet")
            return Content("\n").join(Content.assemble("  ", line) for line in text.split("\n"))
        room = max(1, self.content_size.height // _LINES)
        self._first = max(self.chosen - room + 1, min(self._first, self.chosen))
        places = range(self._first, min(len(self.results), self._first + room))
        width = self.content_size.width
        return Content("\n").join([self._row(place, width) for place in places])

    def _row(self, place: int, width: int) -> Content:
        is_chosen = place == self.chosen
        sign = Content.styled("▌", "$accent") if is_chosen else Content(" ")
        lines = row(self.results[place], max(20, width - _MARK))
        both = Content("\n").join([Content.assemble(sign, " ", line) for line in lines])
        return both.stylize(Style.from_meta({"@click": f"screen.pick({place})"}))


def row(result: Result, width: int) -> tuple[Content, Content]:
    """Return kind, title and what it belongs to; below, the words in their sentence."""
    room = width - _KIND
    about = Content.styled(result.about, "$quiet").truncate(room // 3, ellipsis=True)
    gap = 2 if result.about else 0
    title = pad(marked(result.title), room - about.cell_length - gap)
    kind = Content.styled(f"{result.kind:<{_KIND}}", "$quiet")
    sentence = _around(result.excerpt, room).stylize_before("$quiet")
    return Content.assemble(kind, title, " " * gap, about), Content.assemble(" " * _KIND, sentence)


def _around(line: MarkedText, room: int) -> Content:
    """Return as much of the line as fits, around the first word that was looked for."""
    line = with_formulas(line)
    content = _content(line)
    start, end = line.marks[0] if line.marks else (0, 0)
    if content[:end].cell_length > room - 2:
        content = Content.assemble("…", content[max(0, start - room // 3) :])
    return content.truncate(room, ellipsis=True)


def marked(line: MarkedText) -> Content:
    """The line, what was looked for in the accent colour and bold, formulas as mathematics."""
    return _content(with_formulas(line))


def _content(line: MarkedText) -> Content:
    content = Content(without_controls(line.text))
    for start, end in line.marks:
        content = content.stylize("$accent bold", start, end)
    return content
