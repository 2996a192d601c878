"""Search in everything: notes, cards, concepts and sources, found while one types."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.timer import Timer
from textual.widget import Widget

from studyattn.study.notes.search import explained_by, search
from studyattn.study.review.browse import show_item
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.card import card_page
from studyattn.tui.formatting import count
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.list_detail import FilteredScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.result_list import ResultList

if TYPE_CHECKING:
    pass

LIMIT: Final = 24
"""Results shown; a search that finds more says so."""
_PAUSE: Final = 0.15
"""Seconds without a key after which all texts are read, if the index found nothing."""


class SearchScreen(FilteredScreen, global_keys=False):
    """The words on top, what has them below; the arrows choose while the typing goes on."""

    SCOPE = Scope.SEARCH
    CSS_PATH = "search.tcss"

    FILTER = "words in notes, cards, concepts, sources"

    def __init__(self) -> None:
        super().__init__()
        self._more = False
        self._reading: Timer | None = None

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        yield ResultList(id="found")

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
        found = await self.database.run_with_profile(
            lambda profile: search(profile, query, limit=LIMIT + 1, as_text=as_text)
        )
        self._more = len(found) > LIMIT
        self._list.show(found[:LIMIT])
        self.draw()
        self.show_hints()

    def draw(self) -> None:
        found = len(self._list.results)
        tally = f"the first {LIMIT}: type to narrow" if self._more else count(found, "result")
        asked = bool((self.searched or "").strip())
        self.headline("Search", tally if asked else "")
        self._list.otherwise = "Nothing has these words." if asked else _EXPLANATION

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
            self.app.push_screen(card_page(card, self.services.look))

    @queued
    async def action_explain(self) -> None:
        """Read the explanation of the concept that the chosen result belongs to."""
        result = self._list.current
        if result is None:
            return
        found = await self.database.run_with_profile(partial(explained_by, result=result))
        if found is None:
            self.show_hints("it belongs to no concept that explains it")
        else:
            slug, card = found
            self.go("concept", slug, explains=True, item=card)


_READING = "No word begins so: looking inside of words …"
_EXPLANATION = (
    "Words are found by their beginning, whatever their case and accents.\n"
    '“…” in straight quotation marks are found as they stand: "dot product".'
)
