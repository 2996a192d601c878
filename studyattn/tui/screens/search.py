"""Search in everything: notes, cards, concepts and sources, found while one types.

In wide terminals the chosen result is beside the list once the typing rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from textual.content import Content
from textual.timer import Timer

from studyattn.store.search import MarkedText
from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.notes.excerpt import with_formulas
from studyattn.study.notes.notes import show_note, show_source
from studyattn.study.notes.search import SearchResult, explained_by, offered, search
from studyattn.study.profile import Profile
from studyattn.study.review.browse import show_item
from studyattn.text.characters import without_controls
from studyattn.tui.dialogs.card import CardPage
from studyattn.tui.formatting import Lines, count, flow
from studyattn.tui.screens.base import need, queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.concept_page import draw_beside
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import face

LIMIT: Final = 24  # results shown; a search that finds more says so
_PAUSE: Final = 0.15
"""Seconds without a key after which all texts are read, if the index found nothing."""


class SearchScreen(ListDetailScreen[SearchResult], global_keys=False):
    """The words on top, what has them below; the arrows choose while the typing goes on."""

    SCOPE = "Search"
    FILTER = 'words, or a "phrase in quotes"'
    _more = False
    _reading: Timer | None = None

    def on_mount(self) -> None:
        self.options.can_focus = False

    async def load(self) -> None:
        self.line.focus()
        self.searched = None  # what was found may have changed meanwhile
        await self.search()

    async def find(self, words: str) -> None:
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
        await self._show(words, as_text=False)
        if words.strip() and not self.rows:
            self._reading = self.set_timer(_PAUSE, self._search_texts)
            self._fill()

    @queued
    async def _search_texts(self) -> None:
        """Read all texts for parts of words, since no word begins so; not if one types on."""
        words = self.words
        if words == self.searched:
            self._reading = None
            await self._show(words, as_text=True)

    async def _show(self, query: str, *, as_text: bool) -> None:
        def look(profile: Profile) -> list[SearchResult]:
            if not query.strip():
                return offered(profile, LIMIT)
            return search(profile, query, limit=LIMIT + 1, as_text=as_text)

        found = await self.study(look)
        self._more = len(found) > LIMIT
        rows = {f"{each.kind} {each.key}": each for each in found[:LIMIT]}
        self.show(rows, choose=next(iter(rows), None))

    def reader(self, key: str) -> Callable[[Profile], object]:
        return partial(self._detail, result=self.rows[key])

    def _detail(self, profile: Profile, result: SearchResult) -> Callable[[int], Content]:
        """Read a result, in the database's thread; return what draws it for a width."""
        if result.kind == "concept":
            page, view = show_concept(profile, result.key), self.concept_view()
            return lambda width: draw_beside(page, width, view)
        if result.kind == "card":
            card = show_item(profile, result.key)
            return lambda width: Content.from_rich_text(card_face.both(card, width))
        if result.kind == "note":
            text = show_note(profile, int(result.key)).body
        else:
            text = show_source(profile, result.key).text
        return lambda width: Content.from_rich_text(face(text[:_LONGEST], width))

    def draw_detail(self, _item: SearchResult, width: int) -> Content | None:
        return self.read(width) if self.read else None

    def draw_rows(self, width: int) -> Iterable[Content]:
        return (row(result, max(20, width)) for result in self.rows.values())

    def heading(self) -> tuple[str, str]:
        if not (self.searched or "").strip():
            return "Search", "your notes and concepts"
        tally = f"the first {LIMIT}: type to narrow" if self._more else ""
        return "Search", tally or count(len(self.rows), "result")

    def empty(self) -> str:
        if self._reading is not None:
            return _READING
        return "No results." if (self.searched or "").strip() else _EXPLANATION

    def hints(self) -> Offers:
        found = ("open", ("down", "choose", "↑↓"), "explain more") if self.rows else ()
        return (*found, "back")

    def studied(self) -> str | None:
        """Return the words, for the cards that have them."""
        return self.words if self.words.strip() else None

    def action_back(self) -> None:
        """Leave at once: what was searched is typed again more quickly than cleared."""
        self.services.back()

    def action_step(self, by: int) -> None:
        at = (self.options.highlighted or 0) + by
        self.options.highlighted = max(0, min(len(self.rows) - 1, at)) if self.rows else None

    def submit(self) -> None:
        self.action_open()

    @queued
    async def action_open(self) -> None:
        result = need(self.chosen)
        if result.kind == "note":
            self.go("note", int(result.key))
        elif result.kind == "concept":
            self.go("concept", result.key)
        elif result.kind == "source":
            text, marks = result.excerpt.text, result.excerpt.marks
            self.go("source", result.key, text[slice(*marks[0])] if marks else "")
        else:
            card = await self.study(show_item, guid=result.key)
            self.app.push_screen(CardPage(card))

    async def action_explain(self) -> None:
        found = await self.study(explained_by, result=need(self.chosen))
        slug, card = need(found, "its concept has no explanation")
        self.go("concept", slug, explains=True, item=card)


_LONGEST: Final = 20_000  # characters of a note or a document that are shown beside the list
_READING = "No prefix match; searching inside words …"
_EXPLANATION = (
    "Matches the start of words; ignores case and accents.\n"
    'Use straight quotes for an exact phrase: "dot product".'
)


_KIND: Final = 9  # columns of the kind before a title


_SENTENCE: Final = 30
"""Columns that a sentence takes at least beside what it belongs to; else it is below."""


def row(result: SearchResult, width: int) -> Content:
    """Return kind and title; below, what it belongs to, and the words in their sentence, if any."""
    room = width - _KIND
    page = Lines(width)
    page.wrap(marked(result.title), mark=(f"{result.kind:<{_KIND}}", "$quiet"))
    about = Content(result.about)
    left = room - about.cell_length - 3 * bool(about)
    sentence = _around(result.excerpt, left if left >= _SENTENCE else room)
    for line in flow(filter(None, (about, sentence)), room):
        page.add(" " * _KIND, line.stylize_before("$quiet"))
    return page.content


def _around(line: MarkedText, room: int) -> Content:
    """Return as much of the line as fits, around the first word that was looked for."""
    line = with_formulas(line)
    content = _content(line)
    start, end = line.marks[0] if line.marks else (0, 0)
    if content[:end].cell_length > room - 2:
        at = max(0, start - room // 3)
        content = Content.assemble("…", content[line.text.find(" ", at, start) + 1 or at :])
    return content.truncate(room, ellipsis=True)


def marked(line: MarkedText) -> Content:
    """The line, what was looked for in the accent colour and bold, formulas as mathematics."""
    return _content(with_formulas(line))


def _content(line: MarkedText) -> Content:
    content = Content(without_controls(line.text))
    for start, end in line.marks:
        content = content.stylize("$accent bold", start, end)
    return content
