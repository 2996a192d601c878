"""The card browser: search as you type, see both faces, edit, mark, suspend."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.dialogs.text_page import PageScreen
from studyattn.tui.formatting import READING_WIDTH, count, pad, when
from studyattn.tui.screens.base import WIDE, StudyScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.rendered_text import line

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.review.browse import BrowsedItem
    from studyattn.study.review.views import RenderedCard

_NO_CARDS = "No cards yet. Import documents of yours: i on Today."

LIMIT = 200
"""Rows shown; a search that finds more says so. The list stays quick with 100,000 cards."""


class CardsScreen(StudyScreen):
    """The search on top, what it finds below, the card beside it where the terminal is wide."""

    SCOPE = Scope.CARDS
    CSS_PATH = "cards.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self._rows: dict[str, BrowsedItem] = {}
        self._more = False
        self._searched: str | None = None
        self._shown: RenderedCard | None = None

    def body(self) -> Iterable[Widget]:
        search = Input(placeholder="search, or is:marked is:suspended is:new is:leech", id="search")
        search.cursor_blink = False
        yield search
        with Horizontal():
            yield OptionList(id="cards")
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="card", markup=False)

    async def load(self) -> None:
        self._searched = None
        await self._search()
        if self.focused is None:
            self.query_one("#search", Input).focus()

    @property
    def _options(self) -> OptionList:
        return self.query_one("#cards", OptionList)

    @property
    def _chosen(self) -> BrowsedItem | None:
        option = self._options.highlighted_option
        return self._rows.get(option.id) if option is not None and option.id else None

    @on(Input.Changed)
    def _changed(self) -> None:
        self.do(self._search)

    async def _search(self) -> None:
        """Look for what stands in the search line now; a search that was overtaken is skipped."""
        query = self.query_one("#search", Input).value
        if query == self._searched:
            return
        self._searched = query

        def find(profile: Profile) -> list[BrowsedItem]:
            from studyattn.study.review.browse import search

            return search(profile, query, limit=LIMIT + 1)

        found = await self.database.run_with_profile(find)
        self._more = len(found) > LIMIT
        self._rows = {row.guid: row for row in found[:LIMIT]}
        self._fill()

    def _fill(self) -> None:
        before = self._chosen
        options = self._options
        width = self._list_width()
        now, day, offset = self.services.clock.now(), self.local_day(), self.utc_offset()
        states = [_state(row, now, offset, day) for row in self._rows.values()]
        room = max((len(state) for state in states), default=0)
        options.set_options(
            Option(_row(row, width, state.rjust(room)), id=row.guid)
            for row, state in zip(self._rows.values(), states, strict=True)
        )
        guids = list(self._rows)
        if guids:
            kept = before is not None and before.guid in self._rows
            options.highlighted = guids.index(before.guid) if kept and before else 0
        else:
            self._shown = None
            nothing = "Nothing has these words." if self._searched else _NO_CARDS
            options.add_option(Option(Content.styled(nothing, "$quiet"), disabled=True))
        self.draw()

    def _list_width(self) -> int:
        return self.width_in(self._options)

    def draw(self) -> None:
        found = f"the first {LIMIT}: type to narrow" if self._more else _found(len(self._rows))
        self.headline("Cards", found if self._searched is not None else "")
        card = self.query_one("#card", Static)
        if self._shown is None:
            card.update("")
        else:
            width = min(READING_WIDTH, self.query_one("#beside").content_size.width - 1)
            card.update(card_face.both(self._shown, width, self.services.look))

    def on_resize(self) -> None:
        if self.is_mounted and self._rows:
            self.call_after_refresh(self._fill)

    def hints(self) -> Iterable[Hint]:
        if self.query_one("#search", Input).has_focus:
            yield hint("cards.down")
            yield hint("back")
            return
        is_drill = self._chosen is not None and self._chosen.kind == "drill"
        if is_drill:
            yield hint("cards.open", "open the drill")
        elif self.has_class("-narrow") and self._chosen is not None:
            yield hint("cards.open")
        shown = self._shown
        if shown is not None and (shown.extra.get("examples") or shown.extra.get("lab")):
            yield hint("cards.example")
        if self._chosen is not None and not is_drill:
            yield hint("cards.edit")
        for name in ("mark", "suspend") if self._chosen is not None else ():
            yield hint(f"cards.{name}")
        yield hint("cards.search")
        yield hint("back")

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    @on(OptionList.OptionHighlighted)
    def _show_card(self) -> None:
        self.do(self._read_card)

    async def _read_card(self, *, again: bool = False) -> None:
        chosen = self._chosen
        if chosen is None or (not again and self._shown and self._shown.guid == chosen.guid):
            return

        def read(profile: Profile) -> RenderedCard:
            from studyattn.study.review.browse import show_item

            return show_item(profile, chosen.guid)

        self._shown = await self.database.run_with_profile(read)
        self.draw()
        self.query_one("#beside", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Both faces of the chosen card, on a page of their own; a drill, to work on it."""
        self.do(self._open)

    async def _open(self) -> None:
        await self._read_card()
        if self._shown is not None and self._shown.drill_id is not None:
            self.go("drill", self._shown.drill_id)
        elif self._shown is not None:
            shown, look = self._shown, self.services.look
            self.app.push_screen(
                PageScreen(shown.concept_title, lambda width: card_face.both(shown, width, look))
            )

    def action_example(self) -> None:
        """Run the chosen card's example, or open its cost lab."""
        self.do(self._example)

    async def _example(self) -> None:
        await self._read_card()
        found = card_face.offered_page(self._shown) if self._shown else None
        if found is None:
            self.show_hints("this card has no example")
        else:
            self.go(*found)

    def action_search(self) -> None:
        """Type words of the card or its concept."""
        self.query_one("#search", Input).focus()

    @on(Input.Submitted)
    def action_down(self) -> None:
        """From the search to what it found."""
        self._options.focus()

    def action_back(self) -> None:
        search = self.query_one("#search", Input)
        if search.value:
            search.value = ""
            search.focus()
        else:
            super().action_back()

    def action_mark(self) -> None:
        """Mark it, or take the mark away."""
        self.do(self._mark)

    async def _mark(self) -> None:
        chosen = self._chosen
        if chosen is not None:
            await self._change(partial(_mark, chosen.guid, not chosen.marked))
            self.show_hints("mark taken away" if chosen.marked else "marked")

    def action_suspend(self) -> None:
        """Take it out of reviews, or bring it back."""
        self.do(self._suspend)

    async def _suspend(self) -> None:
        chosen = self._chosen
        if chosen is not None:
            await self._change(partial(_suspend, chosen.guid, not chosen.suspended))
            self.show_hints("in reviews again" if chosen.suspended else "suspended")

    def action_edit(self) -> None:
        """Write the card's two faces anew."""
        self.do(self._edit)

    async def _edit(self) -> None:
        await self._read_card()
        shown = self._shown
        if shown is None:
            return
        if shown.drill_id is not None:
            self.show_hints("a drill's text stays in its pack")
            return
        front, back = shown.written

        def save(written: Written | None) -> None:
            if written is not None and (written["front"], written["back"]) != (front, back):
                self.do(partial(self._save, shown.guid, written))

        fields = (Field("front", "Front", front, 6), Field("back", "Back", back, 12))
        self.app.push_screen(EditorScreen("Edit the card", *fields), save)

    async def _save(self, guid: str, written: Written) -> None:
        await self._change(partial(_edit, guid, written))
        self.show_hints("saved; its memory did not change")

    async def _change(self, change: Callable[[Profile], None]) -> None:
        await self.database.run_with_profile(change)
        self._searched = None
        await self._search()
        await self._read_card(again=True)


def _mark(guid: str, marked: bool, profile: Profile) -> None:
    from studyattn.study.review import item_actions

    item_actions.mark(profile, guid, marked)


def _suspend(guid: str, suspended: bool, profile: Profile) -> None:
    from studyattn.study.review import item_actions

    item_actions.suspend(profile, guid, suspended)


def _edit(guid: str, written: Written, profile: Profile) -> None:
    from studyattn.study.review import item_actions

    item_actions.edit(profile, guid, written["front"], written["back"])


def _found(number: int) -> str:
    return count(number, "item")


_MARK = 2
_GAP = 2


def _state(row: BrowsedItem, now: datetime, utc_offset: int, today: date) -> str:
    """When it is due, if ever."""
    if row.suspended:
        return "suspended"
    if row.due is None:
        return "new"
    return "now" if row.due <= now else when(row.due, utc_offset, today)


def _row(row: BrowsedItem, width: int, state: str) -> Content:
    """Marks, the question's first line, when it is due."""
    mark = Content.styled("★", "$accent") if row.marked else Content(" ")
    title = f"drill {row.title}" if row.kind == "drill" else line(row.title)
    style = "$quiet" if row.suspended else ""
    return Content.assemble(
        mark,
        " ",
        pad(Content.styled(title, style), max(10, width - _MARK - _GAP - len(state))),
        " " * _GAP,
        (state, "$quiet"),
    )
