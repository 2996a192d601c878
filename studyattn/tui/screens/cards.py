"""The card browser: search as you type, sort by any column, see both faces, change many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.getters import query_one
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import Static

from studyattn.store.queries.items import ItemField
from studyattn.store.vocabulary import DRILL, ListColumn
from studyattn.study.profile import Profile
from studyattn.study.review import browse, card_list, item_actions
from studyattn.study.review.browse import BrowsedItem
from studyattn.study.review.card_list import ListedCards, ListedRow
from studyattn.study.review.item_actions import Changed
from studyattn.study.review.views import RenderedCard
from studyattn.tui.dialogs.card import CardPage, CardScreen
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.formatting import clickable, count, pad
from studyattn.tui.screens.base import WIDE, need, queued
from studyattn.tui.screens.list_detail import FilteredScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.header_footer import Offered, Offers, SidePanel
from studyattn.tui.widgets.rendered_text import line

PAGE: Final = 100  # rows that are asked for at once
_SIGNS: Final = 4  # columns before the front: the row that keys act on, chosen, marked, a space
_GAP: Final = 2
_SHORTEST: Final = 40  # columns of the front that no other column takes


_WIDTHS: Final = {
    ListColumn.CONCEPT: 16,
    ListColumn.TAGS: 12,
    ListColumn.STATE: 10,
    ListColumn.STABILITY: 9,
    ListColumn.LAPSES: 6,
    ListColumn.DUE: 12,
}
"""In their order from the left; the front takes what they leave."""
_AT_RIGHT: Final = {ListColumn.STABILITY, ListColumn.LAPSES, ListColumn.DUE}
"""Columns that have their words at the right end."""
_FIRST: Final = (
    *(ListColumn.DUE, ListColumn.LAPSES, ListColumn.STABILITY),
    *(ListColumn.STATE, ListColumn.CONCEPT, ListColumn.TAGS),
)
"""In the order in which they are taken where there is room."""


def columns_in(width: int) -> dict[ListColumn, int]:
    """Return the columns that a table of this width has, the front first, with their widths."""
    room = width - _SIGNS - 1  # a gap before the scroll bar
    taken = set[ListColumn]()
    for column in _FIRST:
        needed = _WIDTHS[column] + _GAP
        if room - needed < _SHORTEST:
            break
        room -= needed
        taken.add(column)
    others = {column: taking for column, taking in _WIDTHS.items() if column in taken}
    return {ListColumn.FRONT: max(10, room), **others}


class CardTable(ScrollView, can_focus=True):
    """Rows of columns, of which only those in view are made; `picked` are chosen besides `place`.

    The table knows how many rows there are and asks for those it has to draw with `Needs`; its
    screen reads them and gives them with `fill`. So it opens as quickly with 100,000 cards as with
    ten. `place` is the row that keys act on.
    """

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
        for column, taking in columns_in(width).items():
            quiet = row.item.suspended or column is not ListColumn.FRONT
            words = pad(cells[column], taking, right=column in _AT_RIGHT)
            parts.append(words.stylize("$quiet") if quiet else words)
        return Content.assemble(
            Content.styled("▌", "$accent") if at else " ",
            Content.styled("✓", "bold") if row.id in self.picked else " ",
            Content.styled("★", "$accent") if row.item.marked else " ",
            " ",
            Content(" " * _GAP).join(parts),
        )


_TOGGLED = {
    ItemField.MARKED: ("marked", "unmarked"),
    ItemField.SUSPENDED: ("suspended", "in reviews again"),
}
"""Words for a field that was turned on, and off."""
_NO_CARDS = "No cards yet. Press I on Today to import documents."


class CardsScreen(CardScreen, FilteredScreen, wide=WIDE):
    """The search on top, what it finds below, the card beside it where the terminal is wide."""

    SCOPE = "Cards"
    FILTER = "search, or is:marked is:suspended is:new tag:…"
    OPENING = "Cards"
    table = query_one("#list", CardTable)
    _list: ListedCards
    _sorted_by = ListColumn.PATH
    _descending = False
    _shown: RenderedCard | None = None
    _drawn = ""  # guid of the card that the detail pane shows
    _anchor = 0  # place from which a range is chosen
    _done: tuple[Changed, ...] = ()  # changes that can be taken back, the last one last

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        with Horizontal(id="panes"):
            with Vertical(id="table"):
                yield Static(id="columns", markup=False)
                yield CardTable(self._cells, id="list")
            yield SidePanel(id="beside")

    @property
    def chosen(self) -> BrowsedItem | None:
        """The item that keys act on where no others are chosen."""
        current = self.table.current
        return None if current is None else current.item

    # What is read.

    async def load(self) -> None:
        await self._find(self.words, self.table.place)
        await self._read_card(again=True)

    async def find(self, words: str) -> None:
        self.table.picked.clear()
        await self._find(words, 0)

    async def _find(self, words: str, place: int) -> None:
        self.searched = words
        self._list = await self.study(
            card_list.open_list, words, self._sorted_by, descending=self._descending
        )
        self.table.otherwise = "No results." if words else _NO_CARDS
        self.table.show(self._list.total, place)
        await self._read_rows()
        if self.focused is None:
            self.line.focus()

    @on(CardTable.Needs)
    def _needs(self) -> None:
        self.do(self._read_rows)

    async def _read_rows(self) -> None:
        """Read the rows that are in view by now: those that were scrolled past are not."""
        for start in self.table.needed:
            end = start + PAGE
            rows = await self.study(card_list.rows, cards=self._list, start=start, stop=end)
            self.table.fill(start, rows)
        self.draw()  # the first card with fresh numbers waits for numpy
        await self._read_card()
        self.redraw(None)

    @on(CardTable.Moved)
    def _moved(self) -> None:
        self._anchor = self.table.place
        self.do(self._read_rows)

    async def _read_card(self, *, again: bool = False) -> None:
        chosen = self.chosen
        if chosen is None:
            self._shown = None
        elif again or self._shown is None or self._shown.guid != chosen.guid:
            self._shown = await self.study(browse.show_item, guid=chosen.guid)
            self.draw()

    # What is drawn.

    def draw(self) -> None:
        found = count(self._list.total, "item")
        picked = len(self.table.picked)
        self.headline("Cards", f"{picked:,} of {found} chosen" if picked else found)
        width = self.table.scrollable_content_region.width
        names: list[Content] = []
        for column, taking in columns_in(width).items():
            sign = ("▼" if self._descending else "▲") if column is self._sorted_by else ""
            name = Content.styled(f"{column.value}{sign}", "bold $accent" if sign else "$quiet")
            name = clickable(name, f"screen.sort('{column.value}')")
            names.append(pad(name, taking, right=column in _AT_RIGHT))
        head = Content.assemble(" " * _SIGNS, Content(" " * _GAP).join(names))
        self.query_one("#columns", Static).update(head)
        shown = self._shown_now
        anew = shown is not None and self._drawn != shown.guid
        self.side.show(self._draw_beside, anew=anew)
        if shown is not None:
            self._drawn = shown.guid

    @property
    def _shown_now(self) -> RenderedCard | None:
        """The card at the cursor, once it is read."""
        chosen, shown = self.chosen, self._shown
        return shown if chosen and shown and shown.guid == chosen.guid else None

    def _draw_beside(self, width: int) -> Content | Text | None:
        if (shown := self._shown_now) is not None:
            return card_face.both(shown, width)
        return Content() if self.chosen is None else None

    def _cells(self, item: BrowsedItem) -> Mapping[ListColumn, str]:
        """Return the words of an item in each column."""
        state = "suspended" if item.suspended else item.drill_state or item.phase.value
        due = "suspended" if item.suspended else "new"
        if item.due is not None and not item.suspended:
            now = item.due <= self.services.clock.now()
            due = "now" if now else self.days().when(item.due)
        return {
            ListColumn.FRONT: f"drill {item.title}" if item.kind == DRILL else line(item.title),
            ListColumn.CONCEPT: item.concept_title,
            ListColumn.TAGS: " ".join(item.tags),
            ListColumn.STATE: state,
            ListColumn.STABILITY: "" if item.stability is None else f"{item.stability:.1f} d",
            ListColumn.LAPSES: str(item.lapses) if item.reps else "",
            ListColumn.DUE: due,
        }

    def on_resize(self) -> None:
        self.call_after_refresh(self.paint)

    def hints(self) -> Offers:
        back = ("back", "clear search" if self.words else "")
        if self.line.has_focus:
            return ("down", back)
        if self.table.picked:
            return ("pick suspend mark tags move delete", ("back", "choose none"))
        sort = "sort more" if self._list.total else ""
        if self.chosen is None:
            return (sort, "search", back)
        shown, is_drill = self._shown, self.chosen.kind == DRILL
        offered: Offered = {
            ("open", "open the drill"): is_drill,
            "open": not is_drill and self.has_class("-narrow"),
            "example": shown and card_face.offered_page(shown),
            "media": shown and card_face.media_of(shown, revealed=True),
            "pick explain": True,
            "edit": not is_drill,
            "mark tags suspend delete": True,
        }
        return (offered, sort, "search", back)

    def studied(self) -> str:
        return self.words

    # Getting about.

    def action_down(self) -> None:
        self.table.focus()

    def action_back(self) -> None:
        if self.table.picked and not self.line.has_focus:
            self.table.picked.clear()
            self._picked()
        else:
            super().action_back()

    async def action_sort(self, name: str) -> None:
        """Sort by a column by its name, by the `next` one, or by the `same` the other way round."""
        now, columns = self._sorted_by, list(ListColumn)
        following = columns[(columns.index(now) + 1) % len(columns)]
        column = {"next": following, "same": now}.get(name) or ListColumn(name)
        turned = column is now and not self._descending
        self._sorted_by, self._descending = column, turned and column is not ListColumn.PATH
        await self._find(self.words, 0)
        way = ", descending" if self._descending else ""
        self.show_hints(f"sorted by {column.value}{way}")

    # Choosing several.

    @on(CardTable.Picked)
    def _picked_by_click(self, event: CardTable.Picked) -> None:
        start = self._anchor if event.up_to else event.place
        self.do(partial(self._pick, start, event.place, turns=not event.up_to))

    def action_pick(self) -> None:
        place = self.table.place
        self.do(partial(self._pick, place, place, turns=True))
        self.table.action_step(1)

    def action_pick_range(self, by: int) -> None:
        anchor = self._anchor
        self.table.action_step(by)
        self.do(partial(self._pick_from, anchor))

    async def _pick_from(self, anchor: int) -> None:
        self._anchor = anchor
        await self._pick(anchor, self.table.place)

    async def _pick(self, first: int, last: int, *, turns: bool = False) -> None:
        """Choose rows from one place to another; with `turns`, one that was chosen no longer."""
        need(self._list.total)
        start, stop = sorted((first, last))
        numbers = await self.study(card_list.ids, cards=self._list, start=start, stop=stop + 1)
        if turns:
            self.table.picked ^= set(numbers)
        else:
            self.table.picked |= set(numbers)
        self._picked()

    async def action_pick_all(self) -> None:
        if len(self.table.picked) == self._list.total:
            self.table.picked.clear()
            self._picked()
        else:
            await self._pick(0, self._list.total - 1)

    def _picked(self) -> None:
        self.table.refresh()
        self.redraw()

    def _numbers(self) -> list[int]:
        """Return the numbers of what keys act on: the chosen rows, else the one at the cursor."""
        if self.table.picked:
            return sorted(self.table.picked)
        current = self.table.current
        return [] if current is None else [current.id]

    # Changing what is chosen.

    async def _change(self, change: Callable[[Profile], Changed]) -> Changed:
        """Carry out a change that can be taken back, and show what it made."""
        changed = await self.study(change)
        if changed.number:
            self._done += (changed,)
        await self.renew()
        return changed

    async def action_toggle(self, name: str) -> None:
        """Turn a field of what is chosen on or off."""
        numbers, field = need(self._numbers()), ItemField(name)
        changed = await self._change(partial(item_actions.toggle, ids=numbers, field=field))
        ((_, before),) = changed.before
        self._tell(_TOGGLED[field][any(before.values())], len(numbers))

    def _tell(self, done: str, number: int) -> None:
        self.show_hints(f"{done}; u undoes" if number == 1 else f"{number:,} {done}; u undoes")

    def action_tags(self) -> None:
        if not self.table.picked:
            super().action_tags()
            return
        numbers = self._numbers()

        async def save_many(written: Written) -> None:
            more, gone = [written["add"]], [written["remove"]]
            await self._change(partial(item_actions.tag, ids=numbers, add=more, remove=gone))
            self._tell("tagged", len(numbers))

        title, told = f"Tags of {len(numbers):,} items", "With spaces between."
        fields = Field("add", "Add"), Field("remove", "Remove")
        self.ask(EditorScreen(title, *fields, explanation=told), save_many)

    async def save_tags(self, shown: RenderedCard, tags: tuple[str, ...]) -> None:
        gone = set(shown.tags) - set(tags)
        await self._change(partial(item_actions.tag, ids=self._numbers(), add=tags, remove=gone))
        self.show_hints("tags saved")

    async def action_move(self) -> None:
        numbers = need(self._numbers())
        names = await self.study(card_list.concept_names)

        async def move(slug: str) -> None:
            changed = await self._change(partial(item_actions.move, ids=numbers, concept=slug))
            moved = count(changed.number, "card")
            stay = f"; {changed.left_out:,} from packs stay" if changed.left_out else ""
            self.show_hints(f"{moved} moved to {names[slug]}{stay}; u undoes")

        self.ask(PickScreen(f"Move {count(len(numbers), 'card')} to", names), move)

    async def action_delete(self) -> None:
        numbers = need(self._numbers())
        changed = await self._change(partial(item_actions.delete, ids=numbers))
        self.table.picked.clear()
        self.draw()
        removed, suspended = (len(values) for _, values in changed.before)
        told = [f"{removed:,} deleted"] if removed else []
        if suspended:
            told.append(f"{suspended:,} from packs or documents suspended")
        self.show_hints(f"{', '.join(told) or 'suspended already'}; u undoes")

    async def action_undo(self) -> None:
        changed, self._done = need(self._done, "nothing to undo here")[-1], self._done[:-1]
        await self.study(item_actions.restore, changed=changed)
        await self.reload("undone")

    # One card.

    async def shown_card(self) -> RenderedCard | None:
        await self._read_card()
        return self._shown

    @on(CardTable.Opened)
    @queued
    async def action_open(self) -> None:
        shown = await self.shown_card()
        if shown is not None and shown.drill_id is not None:
            self.go("drill", shown.drill_id)
        elif shown is not None:
            self.app.push_screen(CardPage(shown))

    async def save_faces(self, shown: RenderedCard, front: str, back: str) -> None:
        await self.study(item_actions.edit, shown.guid, front, back)
        await self.reload("saved; its schedule is unchanged")
