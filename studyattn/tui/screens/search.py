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
from studyattn.study.notes.notes import show_note
from studyattn.study.notes.search import Result, explained_by, offered, search
from studyattn.study.notes.sources import show_source
from studyattn.study.profile import Profile
from studyattn.study.review.browse import show_item
from studyattn.text.characters import without_controls
from studyattn.tui.dialogs.card import CardPage
from studyattn.tui.formatting import count, pad
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.concept_page import ConceptView, draw_detail
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import face

LIMIT: Final = 24
"""Results shown; a search that finds more says so."""
_LONGEST: Final = 20_000
"""Characters of a note or a document that are shown beside the list."""
_KIND: Final = 9
"""Columns of the kind before a title."""

_READING = "No prefix match; searching inside words …"
_EXPLANATION = (
    "Matches the start of words; ignores case and accents.\n"
    'Use straight quotes for an exact phrase: "dot product".'
)


class SearchScreen(ListDetailScreen[Result], global_keys=False):
    """The words on top, what has them below; the arrows choose while the typing goes on."""

    SCOPE = "Search"
    FILTER = 'words in notes, cards, concepts, sources, or a "phrase in quotes"'
    PAUSE = 0.15  # also that after which all texts are read, if the index found nothing

    def __init__(self) -> None:
        super().__init__()
        self._more = False
        self._reading: Timer | None = None

    def on_mount(self) -> None:
        self.options.can_focus = False  # a click leaves the typing where it is

    async def load(self) -> None:
        self.searched = None  # what was found may have changed meanwhile
        await self.search()

    async def find(self, words: str) -> None:
        if self._reading is not None:
            self._reading.stop()
        await self._show(words, as_text=False)

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

        found = await self.study(look)
        self._more = len(found) > LIMIT
        self.EMPTY = "No results." if query.strip() else _EXPLANATION
        if query.strip() and not found and not as_text:
            self.EMPTY = _READING
            self._reading = self.set_timer(self.PAUSE, self._search_texts)
        rows = {f"{each.kind}:{each.key}": each for each in found[:LIMIT]}
        self.show(rows, next(iter(rows), None))
        self.show_hints()

    def heading(self) -> tuple[str, str]:
        if not (self.searched or "").strip():
            return "Search", "your notes and concepts"
        more = f"the first {LIMIT}: type to narrow"
        return "Search", more if self._more else count(len(self.rows), "result")

    def draw_rows(self, width: int) -> Iterable[Content]:
        return (Content("\n").join(row(each, width)) for each in self.rows.values())

    def reader(self, key: str) -> Callable[[Profile], Callable[[int], Content]]:
        return partial(_detail, view=self.concept_view(), result=self.rows[key])

    def draw_detail(self, item: Result, width: int) -> Content | None:
        del item
        drawn: Content | None = self.read(width) if self.read else None
        return drawn

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
        if self.rows:
            at = (self.options.highlighted or 0) + by
            self.options.highlighted = max(0, min(len(self.rows) - 1, at))

    def submit(self) -> None:
        self.action_open()

    @queued
    async def action_open(self) -> None:
        result = self.chosen
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
            self.app.push_screen(CardPage(await self.study(show_item, guid=result.key)))

    @queued
    async def action_explain(self) -> None:
        found = await self.study(explained_by, result=self.chosen) if self.chosen else None
        if found is None:
            self.show_hints("its concept has no explanation")
        else:
            slug, card = found
            self.go("concept", slug, explains=True, item=card)


def _detail(profile: Profile, view: ConceptView, result: Result) -> Callable[[int], Content]:
    """Read a result, in the database's thread; return what draws it for a width."""
    if result.kind == "concept":
        page = show_concept(profile, result.key)
        return lambda width: draw_detail(page, width, view)
    if result.kind == "card":
        card = show_item(profile, result.key)
        return lambda width: Content.from_rich_text(card_face.both(card, width))
    if result.kind == "note":
        text = show_note(profile, int(result.key)).body
    else:
        text = show_source(profile, result.key).text
    return lambda width: Content.from_rich_text(face(text[:_LONGEST], width))


def row(result: Result, width: int) -> tuple[Content, Content]:
    """Return kind, title and what it belongs to; below, the words in their sentence."""
    room = width - _KIND
    about = Content.styled(result.about, "$quiet").truncate(room // 3, ellipsis=True)
    gap = 2 if result.about else 0
    title = pad(marked(result.title), room - about.cell_length - gap)
    kind = Content.styled(f"{result.kind:<{_KIND}}", "$quiet")
    sentence = _around(result.excerpt, room).stylize_before("$quiet")
    return Content.assemble(kind, title, " " * gap, about), Content.assemble(" " * _KIND, sentence)


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
