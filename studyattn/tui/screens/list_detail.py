"""A line to filter with, a list, and the chosen thing beside it: what browsing screens share.

`FilteredScreen` has the line and searches as one types. `ListDetailScreen` adds the list and the
detail pane, keeps the choice when the rows change, and draws both at every size.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from rich.text import Text
from textual import on
from textual.containers import Horizontal
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.study.profile import Profile
from studyattn.tui.screens.base import WIDE, StudyScreen, queued
from studyattn.tui.widgets.concept_page import ConceptView
from studyattn.tui.widgets.header_footer import KeyedList, SidePanel, TextLine

Item = TypeVar("Item")


class FilteredScreen(StudyScreen):
    """A screen with a line at its top; what is typed there is looked for."""

    FILTER: ClassVar[str] = ""  # the line's placeholder; without one there is no line
    line = query_one("#search", Input)
    searched: str | None = None
    """The words that were looked for last; None where it has to be done again."""

    def body(self) -> Iterable[Widget]:
        if self.FILTER:
            given = self.written()
            yield TextLine(given, self.FILTER, select_on_focus=not given, id="search")

    def written(self) -> str:
        """Return what the line begins with."""
        return ""

    def concept_view(self) -> ConceptView:
        """Return how the page of a concept is drawn beside a list."""
        return ConceptView(days=self.days(), levels=1)

    @property
    def words(self) -> str:
        return self.line.value if self.FILTER else ""

    @on(Input.Changed)
    def _typed(self) -> None:
        self.do(self.search)

    async def search(self) -> None:
        """Find what is typed by now; a search that more typing has overtaken is skipped."""
        words = self.words
        if words != self.searched:
            self.searched = words
            await self.find(words)

    async def find(self, words: str) -> None:
        """Look for the words and show what has them."""

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.submit()

    def submit(self) -> None:
        """Do what enter means in the line: go to what it found."""
        self.action_down()

    def action_search(self) -> None:
        self.line.focus()

    def action_down(self) -> None:
        """Go from the line to what it found."""

    def action_open(self) -> None:
        """Open the chosen thing."""

    def action_follow(self, _place: int) -> None:
        self.action_open()

    def action_back(self) -> None:
        """Clear the filter, then leave."""
        if self.words:
            self.line.value = ""
            self.line.focus()
        else:
            super().action_back()


class ListDetailScreen(FilteredScreen, Generic[Item], wide=WIDE):
    """Rows by key, in order, and the chosen one beside them where the terminal is wide.

    A row that is None is a heading, which cannot be chosen.

    A subclass reads its items in `load` or `find`, hands them to `show`, and draws one: `draw_rows`
    for the list, `draw_detail` for the pane, `heading` for the first line.
    """

    DETAIL: ClassVar[bool] = True  # False for a list alone
    SCROLLS: ClassVar[bool] = False  # True if the detail pane can have the focus
    EMPTY: ClassVar[str] = ""  # what to say where there are no rows
    options = query_one("#list", KeyedList)
    rows: Mapping[str, Item] = {}
    _drawn: str | None = None  # key of what the detail pane shows
    _read: tuple[str, Any] | None = None  # what was read of the chosen item, by its key

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        with Horizontal(id="panes"):
            yield KeyedList(id="list", markup=False)
            if self.DETAIL:
                detail = SidePanel(id="beside")
                detail.can_focus = self.SCROLLS
                yield detail
        yield Static(id="empty", markup=False)

    async def renew(self) -> None:
        """Load the rows; showing them draws everything else."""
        await self.load()
        self.is_loaded = True

    def paint(self) -> None:
        self.draw()

    # What a subclass says.

    def heading(self) -> tuple[str, str]:
        """Return both ends of the first line."""
        return "", ""

    @abstractmethod
    def draw_rows(self, width: int) -> Iterable[Content]:
        """Return a line for each of `rows`, at most `width` columns wide."""

    def draw_detail(self, _item: Item, _width: int) -> Content | Text | None:
        """Return the detail of the chosen item; None leaves the pane as it is."""
        return None

    def first(self) -> str:
        """Return the key to choose at the beginning."""
        return next(iter(self.rows))

    def reader(self, _key: str) -> Callable[[Profile], object] | None:
        """Return what reads, in the database's thread, what `draw_detail` needs of an item."""
        return None

    @property
    def read(self) -> Any:
        """The text of the chosen item as its reader read it; None until it is there."""
        return self._read[1] if self._read and self._read[0] == self.chosen_key else None

    # The list.

    @property
    def chosen_key(self) -> str | None:
        """The key of the item that keys act on."""
        return self.options.key

    @property
    def chosen(self) -> Item | None:
        key = self.chosen_key
        return None if key is None else self.rows.get(key)

    def show(self, rows: Mapping[str, Item], choose: str | None = None) -> None:
        """Show these rows, the chosen one still chosen if it is among them, or `choose`."""
        hidden = self.is_loaded and not self.query_one("#panes").display
        self.rows, self.is_loaded, self._read = rows, True, None
        self._fill(choose)
        if hidden:  # the list has no size before it is laid out
            self.call_after_refresh(self._fill)
        if self.focused is None:
            (self.line if self.FILTER else self.options).focus()
        self.refresh_hints()

    def _fill(self, choose: str | None = None) -> None:
        if not self.is_attached:  # left before the next frame
            return
        before, place = self.chosen_key, self.options.highlighted
        if not self.FILTER and place is None and self.rows:
            place = [*self.rows].index(self.first())
        self.query_one("#panes").display = bool(self.rows or self.FILTER)
        contents = self.draw_rows(self.width_in(self.options))
        rows = dict(zip(self.rows, contents, strict=True))
        self.options.show(rows, choose, None if self.FILTER else place)
        for key in [key for key, item in self.rows.items() if item is None]:
            self.options.disable_option(key)
        if rows and self.chosen_key not in (before, choose):
            self.call_after_refresh(self.center)
        if not rows and self.FILTER:
            told = Content.assemble(self.empty()).stylize_before("$quiet")
            self.options.add_option(Option(told, disabled=True))
        self.draw()

    def center(self) -> None:
        """Scroll the list so far that what is before and after the chosen row is seen."""
        rows = self.options
        if rows.highlighted is not None:
            rows.scroll_to(y=rows.highlighted - rows.size.height // 2, animate=False)

    def draw(self) -> None:
        self.headline(*self.heading())
        empty = self.query_one("#empty", Static)
        empty.display = self.is_loaded and not self.rows and not self.FILTER
        empty.update(self.empty() if empty.display else "")
        for beside in self.query(SidePanel):
            beside.show(self.draw_beside, anew=self._drawn != self.chosen_key)
        self._drawn = self.chosen_key

    def empty(self) -> Content | str:
        """Return what to say where there are no rows."""
        return self.EMPTY

    def draw_beside(self, width: int) -> Content | Text | None:
        """Return what stands beside the list."""
        return Content() if self.chosen is None else self.draw_detail(self.chosen, width)

    def on_resize(self) -> None:
        if self.is_mounted and self.rows:
            self.call_after_refresh(self._fill)

    @on(OptionList.OptionHighlighted)
    @queued
    async def _draw_chosen(self) -> None:
        key = self.chosen_key
        reader = self.reader(key) if key is not None and self.read is None else None
        if key is not None and reader is not None and not self.has_class("-narrow"):
            self._read = key, await self.study(reader)
        self.redraw(None)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_down(self) -> None:
        if self.rows:
            self.options.focus()
            if self.options.highlighted is None:
                self.options.highlighted = 0
