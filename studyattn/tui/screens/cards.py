"""The card browser: search as you type, see both faces, edit, mark, suspend."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content

from studyattn.store.tags import tags_of
from studyattn.study.review import browse, item_actions
from studyattn.study.review.browse import BrowsedItem
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.card import card_editor, card_page, tags_editor
from studyattn.tui.dialogs.editor import Written
from studyattn.tui.dialogs.media import open_medium
from studyattn.tui.formatting import count, pad, when
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.rendered_text import line

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.review.views import RenderedCard

_NO_CARDS = "No cards yet. Import documents of yours: i on Today."

LIMIT = 200
"""Rows shown; a search that finds more says so. The list stays quick with 100,000 cards."""

_MARK = 2  # columns before a title
_GAP = 2


class CardsScreen(ListDetailScreen[BrowsedItem]):
    """The search on top, what it finds below, the card beside it where the terminal is wide."""

    SCOPE = Scope.CARDS
    FILTER = "search, or is:marked is:suspended is:new tag:…"

    def __init__(self) -> None:
        super().__init__()
        self._more = False
        self._shown: RenderedCard | None = None

    async def load(self) -> None:
        self.searched = None
        await self.search()

    async def find(self, words: str) -> None:
        found = await self.database.run_with_profile(
            lambda profile: browse.search(profile, words, limit=LIMIT + 1)
        )
        self._more = len(found) > LIMIT
        self.show({item.guid: item for item in found[:LIMIT]})

    def heading(self) -> tuple[str, str]:
        found = count(len(self.rows), "item")
        tally = f"the first {LIMIT}: type to narrow" if self._more else found
        return "Cards", tally if self.is_loaded else ""

    def empty(self) -> str:
        return "Nothing has these words." if self.words else _NO_CARDS

    def draw_rows(self, width: int) -> Iterable[Content]:
        states = [self._due(item) for item in self.rows.values()]
        room = max((len(state) for state in states), default=0)
        for item, state in zip(self.rows.values(), states, strict=True):
            mark = Content.styled("★", "$accent") if item.marked else " "
            title = f"drill {item.title}" if item.kind == "drill" else line(item.title)
            title_width = max(10, width - _MARK - _GAP - room)
            yield Content.assemble(
                mark,
                " ",
                pad(Content.styled(title, "$quiet" if item.suspended else ""), title_width),
                " " * _GAP,
                (state.rjust(room), "$quiet"),
            )

    def _due(self, item: BrowsedItem) -> str:
        """Return when the item is due, in words."""
        if item.suspended:
            return "suspended"
        if item.due is None:
            return "new"
        now = item.due <= self.services.clock.now()
        return "now" if now else when(item.due, self.utc_offset(), self.local_day())

    async def read_chosen(self) -> None:
        await self._read_card()

    def draw_detail(self, item: BrowsedItem, width: int) -> Text | None:
        """Return both faces of the chosen card, once it is read."""
        if self._shown is None or self._shown.guid != item.guid:
            return None
        return card_face.both(self._shown, width, self.services.look)

    def hints(self) -> Iterable[Hint]:
        if self.line.has_focus:
            yield hint("cards.down")
            yield hint("back")
            return
        is_drill = self.chosen is not None and self.chosen.kind == "drill"
        if is_drill:
            yield hint("cards.open", "open the drill")
        elif self.has_class("-narrow") and self.chosen is not None:
            yield hint("cards.open")
        shown = self._shown if self.chosen is not None else None
        if shown is not None and (shown.extra.get("examples") or shown.extra.get("lab")):
            yield hint("cards.example")
        if shown is not None and card_face.media_of(shown, revealed=True):
            yield hint("cards.media")
        if self.chosen is not None:
            yield hint("cards.explain")
        if self.chosen is not None and not is_drill:
            yield hint("cards.edit")
        for name in ("mark", "tags", "suspend") if self.chosen is not None else ():
            yield hint(f"cards.{name}")
        if self.rows:
            yield hint("cards.more")
        yield hint("cards.search")
        yield hint("back")

    def studied(self) -> str:
        """Return what is searched."""
        return self.words

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    async def _read_card(self, *, again: bool = False) -> None:
        chosen = self.chosen
        if chosen is None:
            self._shown = None
        elif again or self._shown is None or self._shown.guid != chosen.guid:
            read = partial(browse.show_item, guid=chosen.guid)
            self._shown = await self.database.run_with_profile(read)
            self.draw()

    @queued
    async def action_open(self) -> None:
        """Open both faces of the chosen card on a page of their own; a drill, to work on it."""
        await self._read_card()
        if self._shown is not None and self._shown.drill_id is not None:
            self.go("drill", self._shown.drill_id)
        elif self._shown is not None:
            self.app.push_screen(card_page(self._shown, self.services.look))

    @queued
    async def action_example(self) -> None:
        """Run the chosen card's example, or open its cost lab."""
        await self._read_card()
        found = card_face.offered_page(self._shown) if self._shown else None
        if found is None:
            self.show_hints("this card has no example")
        else:
            self.go(*found)

    def action_explain(self) -> None:
        """Read the explanation of the concept of the chosen item."""
        if self.chosen is not None:
            self.go("concept", self.chosen.concept, explains=True, item=self.chosen.guid)

    @queued
    async def action_mark(self) -> None:
        """Mark it, or take the mark away."""
        chosen = self.chosen
        if chosen is not None:
            await self._change(
                partial(item_actions.mark, guid=chosen.guid, marked=not chosen.marked)
            )
            self.show_hints("mark taken away" if chosen.marked else "marked")

    @queued
    async def action_media(self) -> None:
        """Open its picture or sound."""
        await self._read_card()
        if self._shown is not None:
            names = card_face.media_of(self._shown, revealed=True)
            open_medium(self, self._shown.media, names)

    @queued
    async def action_tags(self) -> None:
        """Change its tags."""
        await self._read_card()
        shown = self._shown
        if shown is None:
            return

        async def save(written: Written) -> None:
            tags = tags_of([written["tags"]])
            if tags != shown.tags:
                await self._change(partial(item_actions.tag, guid=shown.guid, tags=tags))
                self.show_hints("tags saved")

        self.ask(tags_editor(shown), save)

    @queued
    async def action_suspend(self) -> None:
        """Take it out of reviews, or bring it back."""
        chosen = self.chosen
        if chosen is not None:
            await self._change(
                partial(item_actions.suspend, guid=chosen.guid, suspended=not chosen.suspended)
            )
            self.show_hints("in reviews again" if chosen.suspended else "suspended")

    @queued
    async def action_edit(self) -> None:
        """Edit the two faces of the card."""
        await self._read_card()
        shown = self._shown
        if shown is None:
            return
        if shown.drill_id is not None:
            self.show_hints("a drill's text stays in its pack")
            return

        async def save(written: Written) -> None:
            faces = written["front"], written["back"]
            if faces != shown.written:
                await self._change(lambda profile: item_actions.edit(profile, shown.guid, *faces))
                self.show_hints("saved; its memory did not change")

        self.ask(card_editor(shown), save)

    async def _change(self, change: Callable[[Profile], object]) -> None:
        await self.database.run_with_profile(change)
        await self._read_card(again=True)
        await self.load()
