"""The list of the card browser: rows of columns, of which only those in view are ever made.

The table knows how many rows there are and asks for those it has to draw with `Needs`; its screen
reads them and gives them with `fill`. So it opens as quickly with 100,000 cards as with ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from studyattn.store.vocabulary import ListColumn
from studyattn.study.review.browse import BrowsedItem
from studyattn.study.review.card_list import ListedRow
from studyattn.tui.formatting import clickable, pad

PAGE: Final = 100  # rows that are asked for at once
_SIGNS: Final = 4  # columns before the front: the row that keys act on, chosen, marked, a space
_GAP: Final = 2
_SHORTEST: Final = 40  # columns of the front that no other column takes


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table; `right` has its words at the right end."""

    column: ListColumn
    title: str
    width: int
    right: bool = False


_FRONT: Final = Column(ListColumn.FRONT, "card", 0)
_COLUMNS: Final = (
    Column(ListColumn.CONCEPT, "concept", 16),
    Column(ListColumn.TAGS, "tags", 12),
    Column(ListColumn.STATE, "state", 10),
    Column(ListColumn.STABILITY, "stability", 9, right=True),
    Column(ListColumn.LAPSES, "lapses", 6, right=True),
    Column(ListColumn.DUE, "due", 12, right=True),
)
"""In their order from the left; the front takes what they leave."""
_FIRST: Final = (
    *(ListColumn.DUE, ListColumn.LAPSES, ListColumn.STABILITY),
    *(ListColumn.STATE, ListColumn.CONCEPT, ListColumn.TAGS),
)
"""In the order in which they are taken where there is room."""


def columns_in(width: int) -> tuple[Column, ...]:
    """Return the columns that a table of this width has, the front first, with its width."""
    room = width - _SIGNS - 1  # a gap before the scroll bar
    taken = set[ListColumn]()
    by_name = {each.column: each for each in _COLUMNS}
    for column in _FIRST:
        needed = by_name[column].width + _GAP
        if room - needed < _SHORTEST:
            break
        room -= needed
        taken.add(column)
    front = Column(ListColumn.FRONT, _FRONT.title, max(10, room))
    return (front, *(each for each in _COLUMNS if each.column in taken))


def header(columns: Sequence[Column], sorted_by: ListColumn, *, descending: bool) -> Content:
    """Return the names of the columns; a click on one sorts by it."""
    parts: list[Content] = []
    for each in columns:
        sign = ("▼" if descending else "▲") if each.column is sorted_by else ""
        name = Content.styled(f"{each.title}{sign}", "bold $accent" if sign else "$quiet")
        name = clickable(name, f"screen.sort('{each.column.value}')")
        parts.append(pad(name, each.width, right=each.right))
    return Content.assemble(" " * _SIGNS, Content(" " * _GAP).join(parts))


class CardTable(ScrollView, can_focus=True):
    """Rows by their place; `place` is the one that keys act on, `picked` are chosen besides it."""

    DEFAULT_CSS = """
    CardTable { height: 1fr; width: 100%; scrollbar-size-vertical: 1; overflow-x: hidden; }
    CardTable > .card-table--at { background: $block-cursor-blurred-background; }
    CardTable:focus > .card-table--at {
        background: $block-cursor-background; color: $block-cursor-foreground;
        text-style: $block-cursor-text-style;
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"card-table--row", "card-table--at"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "Previous row", show=False),
        Binding("down", "step(1)", "Next row", show=False),
        Binding("pageup", "page(-1)", "A page up", show=False),
        Binding("pagedown", "page(1)", "A page down", show=False),
        Binding("home", "go_to(0)", "First row", show=False),
        Binding("end", "last", "Last row", show=False),
    ]

    class Needs(Message):
        """Rows are in view that are not there yet."""

    class Moved(Message):
        """Another row is the one that keys act on."""

    class Opened(Message):
        """The row that keys act on was clicked once more."""

    class Picked(Message):
        """A click chooses rows: all up to `place`, or that one alone."""

        def __init__(self, place: int, *, up_to: bool) -> None:
            super().__init__()
            self.place = place
            self.up_to = up_to

    def __init__(
        self,
        cells: Callable[[BrowsedItem], Mapping[ListColumn, str]],
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name
    ) -> None:
        """`cells` gives the words of an item in each column."""
        super().__init__(id=id)
        self._cells = cells
        self.total = 0
        self.place = 0
        self.picked: set[int] = set()  # numbers of the items that are chosen
        self.otherwise = ""  # said where there are no rows
        self._rows: dict[int, ListedRow] = {}
        self._asked: set[int] = set()

    def show(self, total: int, place: int = 0) -> None:
        """Show a list of so many rows, of which none is read yet."""
        self._rows.clear()
        self._asked.clear()
        self.total = total
        self.place = max(0, min(place, total - 1))
        self.virtual_size = Size(self.scrollable_content_region.width, max(1, total))
        self._keep_in_view()
        self.refresh()

    def fill(self, start: int, rows: Iterable[ListedRow]) -> None:
        """Take rows that were asked for, from a place on."""
        self._rows.update(enumerate(rows, start))
        self.refresh()

    @property
    def current(self) -> ListedRow | None:
        """The row that keys act on; None where there is none, or it is not read yet."""
        return self._rows.get(self.place)

    @property
    def needed(self) -> list[int]:
        """The places at which pages begin that are in view and not read yet."""
        first = self.scroll_offset.y
        last = min(self.total, first + max(1, self.size.height))
        starts = {place - place % PAGE for place in range(first, last)}
        starts.add(self.place - self.place % PAGE)
        return sorted(start for start in starts if start < self.total and start not in self._rows)

    def action_step(self, by: int) -> None:
        self.action_go_to(self.place + by)

    def action_page(self, by: int) -> None:
        self.action_go_to(self.place + by * max(1, self.size.height - 1))

    def action_last(self) -> None:
        self.action_go_to(self.total - 1)

    def action_go_to(self, place: int) -> None:
        place = max(0, min(place, self.total - 1))
        if place != self.place:
            self.place = place
            self._keep_in_view()
            self.refresh()
            self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        place = self.scroll_offset.y + event.get_content_offset_capture(self).y
        if not 0 <= place < self.total:
            return
        if event.shift or event.ctrl or event.x < _SIGNS - 1:
            self.post_message(self.Picked(place, up_to=event.shift))
        elif place == self.place:
            self.post_message(self.Opened())
        else:
            self.action_go_to(place)

    def _keep_in_view(self) -> None:
        region = Region(0, self.place, 1, 1)
        self.scroll_to_region(region, animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line of what is in view."""
        place = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        at = place == self.place and self.total > 0
        style = self.get_visual_style("card-table--at" if at else "card-table--row")
        if place >= self.total:
            words = self.otherwise if place == 0 else ""
            content = Content.styled(words, "$quiet")
        elif (row := self._rows.get(place)) is None:
            start = place - place % PAGE
            if start not in self._asked:
                self._asked.add(start)
                self.post_message(self.Needs())
            content = Content.styled(" " * _SIGNS + "…", "$quiet")
        else:
            content = self._draw(row, width, at=at)
        strips = Visual.to_strips(self, content, width, 1, style)
        strip = strips[0] if strips else Strip.blank(width)
        return strip.extend_cell_length(width, style.rich_style)

    def _draw(self, row: ListedRow, width: int, *, at: bool) -> Content:
        cells = self._cells(row.item)
        parts = []
        for each in columns_in(width):
            quiet = row.item.suspended or each.column is not ListColumn.FRONT
            words = pad(cells[each.column], each.width, right=each.right)
            parts.append(words.stylize("$quiet") if quiet else words)
        return Content.assemble(
            Content.styled("▌", "$accent") if at else " ",
            Content.styled("✓", "bold") if row.id in self.picked else " ",
            Content.styled("★", "$accent") if row.item.marked else " ",
            " ",
            Content(" " * _GAP).join(parts),
        )
