"""The frame of a screen: where you are, what the keys do now, and a panel beside.

Textual's Header shows a title and a clock; ours has two ends that a screen fills. Its Footer lists
bindings in a fixed order under fixed names; ours takes the hints of the moment, most important
first, drops the last ones where the terminal is narrow, and shows notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import ACTIONS, action_named
from studyattn.tui.formatting import READING_WIDTH, clickable
from studyattn.tui.pictures import PictureText

_WAY_BACK = action_named("back").call
_GAP = 3
_MARGIN = 1
_MOST = 7  # keys that the last line shows at most, the key to all others included
_SHORTEST = 12  # columns that the right end of the first line keeps while the left end is whole


@dataclass(frozen=True, slots=True)
class Hint:
    """One key of the last line, what it does now, and the action that a click on it runs."""

    key: str
    word: str
    call: str

    @property
    def width(self) -> int:
        return Content(self.key).cell_length + 1 + Content(self.word).cell_length

    def content(self) -> Content:
        """Key in the accent colour, word beside it, both clickable."""
        text = Content.assemble((self.key, "$accent bold"), " ", (self.word, "$foreground"))
        return clickable(text, self.call)


def hint(name: str, word: str = "", key: str = "") -> Hint:
    """The hint of an action, with another word or key where the moment asks for one."""
    known = action_named(name)
    return Hint(key or known.shown_key, word or known.hint, known.call)


Named = str | tuple[str, ...]
"""Names of actions with blanks between them, or one with another word, and key, for the moment."""


Offered = Mapping[Named, object]  # names of actions, and whether they are offered now

Offers = Iterable[Named | Offered | bool | None]
"""What a screen offers now, the most important first; what is None or False is left out."""


def hints(prefix: str, offers: Offers) -> Iterator[Hint]:
    """Yield the hints of what is offered.

    A name is that of an action whose id begins with `prefix`, or else a whole id.
    """
    known = {each.id for each in ACTIONS}
    for each in offers:
        if isinstance(each, Mapping):
            yield from hints(prefix, (names for names, offered in each.items() if offered))
        elif isinstance(each, str | tuple):
            for name, *told in [each] if isinstance(each, tuple) else map(str.split, each.split()):
                own = f"{prefix}.{name}"
                yield hint(own if own in known else name, *told)


def _fitting(hints: Iterable[Hint], room: int) -> list[Hint]:
    """Return the hints that fit, in order, and always the way back; each with a gap behind it."""
    fitting = list(hints)
    others = [each for each in fitting if each.call != _WAY_BACK]
    while fitting and (len(fitting) >= _MOST or sum(each.width + _GAP for each in fitting) > room):
        fitting.remove(others.pop() if others else fitting[-1])
    return fitting


class TopLine(Widget):
    """Left: what this is. Right: what goes with it. A thin rule below."""

    DEFAULT_CSS = """
    TopLine { dock: top; height: 2; width: 100%; border-bottom: solid $rule; }
    """
    left: reactive[Content] = reactive(Content)
    right: reactive[Content] = reactive(Content)

    def render(self) -> Content:
        """Return both ends of one line; the right end gives way when there is no room."""
        room = self.size.width - 2 * _MARGIN
        left, right = self.left, self.right
        space = room - left.cell_length - right.cell_length
        if space < 2:  # the right end is shortened first, then the left, then the right goes
            right = right.truncate(max(_SHORTEST, room - left.cell_length - 2), ellipsis=True)
            left = left.truncate(max(8, room - right.cell_length - 2), ellipsis=True)
            space = room - left.cell_length - right.cell_length
        if space < 2:
            return Content.assemble(" " * _MARGIN, left)
        return Content.assemble(" " * _MARGIN, left, " " * space, right)


class KeyLine(Widget):
    """The hints of the moment, with the key to all others at the right end in any case.

    That key is `?`, and `f1` while a text is written.
    """

    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 2; width: 100%; border-top: solid $rule; }
    """
    hints: reactive[tuple[Hint, ...]] = reactive(())
    notice: reactive[str] = reactive("")
    """Said instead of the hints until the next key: “undone”, “saved”."""

    def on_mount(self) -> None:
        self.auto_links = False  # a hint can be clicked and keeps its colours
        self.watch(self.screen, "focused", self._focus_moved, init=False)

    def _focus_moved(self) -> None:
        self.refresh()

    def render(self) -> Content:
        """Return as many hints as fit, in their order; the way back is dropped last."""
        # The hint at the right end: `?` is a mere character where it would be typed.
        focused = self.screen.focused
        types = focused is not None and focused.check_consume_key("question_mark", "?")
        last = hint("keys", key="f1" if types else "")
        room = self.size.width - 2 * _MARGIN - last.width
        shown: list[Content] = []
        if self.notice:
            words = Content.styled(self.notice, "$right").truncate(room - _GAP, ellipsis=True)
            room -= words.cell_length + _GAP
            shown.append(words)
        shown += [each.content() for each in _fitting(self.hints, room)]
        line = Content(" " * _GAP).join(shown)
        space = self.size.width - 2 * _MARGIN - line.cell_length - last.width
        return Content.assemble(" " * _MARGIN, line, " " * max(_GAP, space), last.content())


class TextLine(Input):
    """Textual's `Input`, at rest."""

    cursor_blink = reactive(False, init=False)


class KeyedList(OptionList):
    """Rows by key; the chosen one stays chosen when the rows change."""

    @property
    def key(self) -> str | None:
        """The key of the chosen row."""
        option = self.highlighted_option
        return None if option is None else option.id

    def show(
        self, rows: Mapping[str, VisualType], choose: str | None = None, place: int | None = 0
    ) -> None:
        """Show these rows, `choose` chosen or else what was; without these the row at a place."""
        kept, keys = choose if choose in rows else self.key, [*rows]
        self.set_options(Option(row, key) for key, row in rows.items())
        if kept is not None and kept in rows:
            self.highlighted = keys.index(kept)
        elif keys and place is not None:
            self.highlighted = min(place, len(keys) - 1)


Drawing = Callable[[int], Content | Text | None]  # draws a text for a width in columns

ROOM: Final = 128
"""Columns of the terminal from which there is room for a panel beside what a screen shows."""


class SidePanel(VerticalScroll, can_focus=False):
    """A column at the right edge; a screen shows it where it has the class `-wide`."""

    DEFAULT_CSS = """
    SidePanel {
        width: 50;
        height: 1fr;
        padding: 0 2;
        border-left: solid $rule;
        scrollbar-size-vertical: 1;
        display: none;
    }
    SidePanel Static { height: auto; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._drawing: Drawing | None = None

    def compose(self) -> Iterator[Static]:
        yield PictureText(markup=False)

    def on_mount(self) -> None:
        self.query_one(Static).auto_links = False  # a line that can be clicked keeps its colour

    def show(self, draw: Drawing, *, anew: bool = False) -> None:
        """Show what `draw` makes of the columns there are; `anew` begins at the top again.

        Where it returns None, what is shown stays.
        """
        self._drawing = draw
        self._redraw()
        if anew:
            self.scroll_home(animate=False)

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        width = min(READING_WIDTH, self.content_size.width - 2)  # a scroll bar, and a gap
        if self._drawing is not None and width > 0:  # not while hidden, or not laid out yet
            drawn = self._drawing(width)
            if drawn is not None:
                self.query_one(Static).update(drawn)
