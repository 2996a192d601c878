"""Search in everything: notes, cards, concepts and sources, found while one types.

In wide terminals the chosen result is beside the list once the typing rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.notes.notes import show_note
from studyattn.study.notes.search import Result, explained_by, offered, search
from studyattn.study.notes.sources import show_source
from studyattn.study.review.browse import show_item
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.card import CardPage
from studyattn.tui.formatting import READING_WIDTH, count
from studyattn.tui.screens.base import WIDE, queued
from studyattn.tui.screens.list_detail import FilteredScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.concept_page import draw_detail
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.picture import PictureText
from studyattn.tui.widgets.rendered_text import face
from studyattn.tui.widgets.result_list import ResultList

if TYPE_CHECKING:
    from studyattn.study.profile import Profile

LIMIT: Final = 24
"""Results shown; a search that finds more says so."""
_PAUSE: Final = 0.15
"""Seconds without a key after which all texts are read, if the index found nothing."""


class SearchScreen(FilteredScreen, global_keys=False):
    """The words on top, what has them below; the arrows choose while the typing goes on."""

    SCOPE = Scope.SEARCH
    CSS_PATH = "search.tcss"

    FILTER = 'words in notes, cards, concepts, sources, or a "phrase in quotes"'

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self._more = False
        self._reading: Timer | None = None
        self._looking: Timer | None = None

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        with Horizontal(id="panes"):
            yield ResultList(id="found")
            with VerticalScroll(id="beside", can_focus=False):
                yield PictureText(id="detail", markup=False)

    def on_mount(self) -> None:
        self.query_one("#detail").auto_links = False  # a line that can be clicked keeps its colour
        for change in ("chosen", "results"):
            self.watch(self._list, change, self._rest, init=False)

    async def load(self) -> None:
        self.line.focus()
        self.searched = None  # what was found may have changed meanwhile
        await self.search()

    @property
    def _list(self) -> ResultList:
        return self.query_one("#found", ResultList)

    async def find(self, words: str) -> None:
        await self._show(words, as_text=False)
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
        if words.strip() and not self._list.results:
            self._reading = self.set_timer(_PAUSE, self._search_texts)
            self._list.otherwise = _READING

    @queued
    async def _search_texts(self) -> None:
        """Read all texts for parts of words, since no word begins so; not if one types on."""
        words = self.words
        if words == self.searched:
            await self._show(words, as_text=True)

    async def _show(self, query: str, *, as_text: bool) -> None:
        def look(profile: Profile) -> list[Result]:
            if not query.strip():
                return offered(profile, LIMIT)
            return search(profile, query, limit=LIMIT + 1, as_text=as_text)

        found = await self.database.run_with_profile(look)
        self._more = len(found) > LIMIT
        self._list.show(found[:LIMIT])
        self.draw()
        self.show_hints()

    def _rest(self) -> None:
        """Show the chosen result beside the list, once no key has been pressed for a moment."""
        if self._looking is not None:
            self._looking.stop()
        if self.has_class("-wide"):
            self._looking = self.set_timer(_PAUSE, self._look)

    @queued
    async def _look(self) -> None:
        result = self._list.current
        beside = self.query_one("#beside", VerticalScroll)
        width = min(READING_WIDTH, beside.content_size.width - 1)
        drawn = Content()
        if result is not None and width > 0:
            draw = await self.database.run_with_profile(partial(self._detail, result=result))
            drawn = draw(width)
        for detail in self.query("#detail").results(Static):  # none when the screen has been left
            detail.update(drawn)
        beside.scroll_home(animate=False)

    def _detail(self, profile: Profile, result: Result) -> Callable[[int], Content]:
        """Read a result, in the database's thread; return what draws it for a width."""
        look = self.services.look
        if result.kind == "concept":
            page, view = show_concept(profile, result.key), self.concept_view()
            return lambda width: draw_detail(page, width, view)
        if result.kind == "card":
            card = show_item(profile, result.key)
            return lambda width: Content.from_rich_text(card_face.both(card, width, look))
        if result.kind == "note":
            text = show_note(profile, int(result.key)).body
        else:
            text = show_source(profile, result.key).text
        return lambda width: Content.from_rich_text(face(text[:_LONGEST], width, look))

    def action_follow(self, _place: int) -> None:
        """Open the page on which the line that was clicked leads somewhere."""
        self.action_open()

    def draw(self) -> None:
        found = len(self._list.results)
        tally = f"the first {LIMIT}: type to narrow" if self._more else count(found, "result")
        asked = bool((self.searched or "").strip())
        self.headline("Search", tally if asked else "your notes and concepts")
        self._list.otherwise = "No results." if asked else _EXPLANATION

    def hints(self) -> Iterable[Hint]:
        if self._list.results:
            yield hint("search.open")
            yield hint("search.down", "choose", key="↑↓")
            yield hint("search.explain")
            yield hint("search.more")
        yield hint("back")

    def studied(self) -> str | None:
        """Return the words, for the cards that have them."""
        return self.words if self.words.strip() else None

    def action_step(self, by: int) -> None:
        """Choose the result above or below, while the typing goes on."""
        self._list.step(by)

    def submit(self) -> None:
        self.action_open()

    def action_pick(self, place: int) -> None:
        """Go to this result."""
        self._list.chosen = place
        self.action_open()

    @queued
    async def action_open(self) -> None:
        """Go to the chosen result, as it is when the search for all that was typed is done."""
        result = self._list.current
        if result is None:
            return
        if result.kind == "note":
            self.go("note", int(result.key))
        elif result.kind == "concept":
            self.go("concept", result.key)
        elif result.kind == "source":
            text, marks = result.excerpt.text, result.excerpt.marks
            self.go("source", result.key, text[slice(*marks[0])] if marks else "")
        else:
            card = await self.database.run_with_profile(partial(show_item, guid=result.key))
            self.app.push_screen(CardPage(card, self.services.look))

    @queued
    async def action_explain(self) -> None:
        """Read the explanation of the concept that the chosen result belongs to."""
        result = self._list.current
        if result is None:
            return
        found = await self.database.run_with_profile(partial(explained_by, result=result))
        if found is None:
            self.show_hints("its concept has no explanation")
        else:
            slug, card = found
            self.go("concept", slug, explains=True, item=card)


_LONGEST: Final = 20_000
"""Characters of a note or a document that are shown beside the list."""

_READING = "No prefix match; searching inside words …"
_EXPLANATION = (
    "Matches the start of words; ignores case and accents.\n"
    'Use straight quotes for an exact phrase: "dot product".'
)
