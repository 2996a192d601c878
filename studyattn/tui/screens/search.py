"""Search in everything: notes, cards, concepts and sources, found while one types.

In wide terminals the chosen result is beside the list once the typing rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.timer import Timer
from textual.widget import Widget

from studyattn.store.search import MarkedText
from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.notes.excerpt import with_formulas
from studyattn.study.notes.notes import show_note, show_source
from studyattn.study.notes.search import SearchResult, explained_by, offered, search
from studyattn.study.profile import Profile
from studyattn.study.review.browse import show_item
from studyattn.text.characters import without_controls
from studyattn.tui.dialogs.card import CardPage
from studyattn.tui.formatting import count
from studyattn.tui.screens.base import WIDE, need, queued
from studyattn.tui.screens.list_detail import FilteredScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.concept_page import draw_detail
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import face
from studyattn.tui.widgets.side_panel import SidePanel

LIMIT: Final = 24
"""Results shown; a search that finds more says so."""
_PAUSE: Final = 0.15
"""Seconds without a key after which all texts are read, if the index found nothing."""


class SearchScreen(FilteredScreen, global_keys=False, wide=WIDE):
    """The words on top, what has them below; the arrows choose while the typing goes on."""

    SCOPE = "Search"

    FILTER = 'words, or a "phrase in quotes"'

    def __init__(self) -> None:
        super().__init__()
        self._more = False
        self._reading: Timer | None = None
        self._looking: Timer | None = None

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        with Horizontal(id="panes"):
            yield ResultList(id="found")
            yield SidePanel(id="beside")

    def on_mount(self) -> None:
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
        def look(profile: Profile) -> list[SearchResult]:
            if not query.strip():
                return offered(profile, LIMIT)
            return search(profile, query, limit=LIMIT + 1, as_text=as_text)

        found = await self.study(look)
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
        drawing: Callable[[int], Content] | None = None
        if result is not None and self.has_class("-wide"):
            drawing = await self.study(self._detail, result=result)
        self.query_one(SidePanel).show(drawing or (lambda _width: Content()), anew=True)

    def _detail(self, profile: Profile, result: SearchResult) -> Callable[[int], Content]:
        """Read a result, in the database's thread; return what draws it for a width."""
        if result.kind == "concept":
            page, view = show_concept(profile, result.key), self.concept_view()
            return lambda width: draw_detail(page, width, view)
        if result.kind == "card":
            card = show_item(profile, result.key)
            return lambda width: Content.from_rich_text(card_face.both(card, width))
        if result.kind == "note":
            text = show_note(profile, int(result.key)).body
        else:
            text = show_source(profile, result.key).text
        return lambda width: Content.from_rich_text(face(text[:_LONGEST], width))

    def draw(self) -> None:
        found = len(self._list.results)
        tally = f"the first {LIMIT}: type to narrow" if self._more else count(found, "result")
        asked = bool((self.searched or "").strip())
        self.headline("Search", tally if asked else "your notes and concepts")
        self._list.otherwise = "No results." if asked else _EXPLANATION

    def hints(self) -> Offers:
        found = ("open", ("down", "choose", "↑↓"), "explain more") if self._list.results else ()
        return (*found, "back")

    def studied(self) -> str | None:
        """Return the words, for the cards that have them."""
        return self.words if self.words.strip() else None

    def action_back(self) -> None:
        """Leave at once: what was searched is typed again more quickly than cleared."""
        self.services.back()

    def action_step(self, by: int) -> None:
        self._list.step(by)

    def submit(self) -> None:
        self.action_open()

    def action_pick(self, place: int) -> None:
        self._list.chosen = place
        self.action_open()

    @queued
    async def action_open(self) -> None:
        result = need(self._list.current)
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

    @queued
    async def action_explain(self) -> None:
        found = await self.study(explained_by, result=need(self._list.current))
        slug, card = need(found, "its concept has no explanation")
        self.go("concept", slug, explains=True, item=card)


_LONGEST: Final = 20_000
"""Characters of a note or a document that are shown beside the list."""

_READING = "No prefix match; searching inside words …"
_EXPLANATION = (
    "Matches the start of words; ignores case and accents.\n"
    'Use straight quotes for an exact phrase: "dot product".'
)


_LINES: Final = 2
"""Lines of one result."""
_MARK: Final = 2
"""Columns before it, in which the chosen one has its sign."""
_KIND: Final = 9
"""Columns of the kind before a title."""


class ResultList(Widget):
    """Shows results; `chosen` is the place of one of them. A click runs `screen.pick(place)`."""

    DEFAULT_CSS = "ResultList { width: 100%; height: 1fr; }"

    results: reactive[tuple[SearchResult, ...]] = reactive(())
    chosen: reactive[int] = reactive(0)
    otherwise: reactive[str] = reactive("")
    """Said when there are no results."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.auto_links = False  # a row can be clicked and keeps its colours
        self._first = 0

    def show(self, results: Sequence[SearchResult]) -> None:
        """Show these, the first one chosen."""
        self._first = 0
        self.chosen = 0
        self.results = tuple(results)

    @property
    def current(self) -> SearchResult | None:
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
        cut = (Content.assemble(sign, " ", line).truncate(width, ellipsis=True) for line in lines)
        both = Content("\n").join(cut)
        return both.stylize(Style.from_meta({"@click": f"screen.pick({place})"}))


def row(result: SearchResult, width: int) -> tuple[Content, Content]:
    """Return kind and title; below, what it belongs to, and the words in their sentence."""
    room = width - _KIND
    kind = Content.styled(f"{result.kind:<{_KIND}}", "$quiet")
    of_about = room // 3 if result.excerpt.text else room
    about = Content(result.about).truncate(of_about, ellipsis=True)
    sentence = _around(result.excerpt, room - about.cell_length - 3 * bool(about))
    below = Content(" · ").join(filter(None, (about, sentence))).stylize_before("$quiet")
    return Content.assemble(kind, marked(result.title)), Content.assemble(" " * _KIND, below)


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
