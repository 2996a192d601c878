"""Search in everything: notes, cards, concepts and sources, found while one types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import Place
from studyattn.tui.layout import count, pad
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.screens.page import PageScreen
from studyattn.tui.widgets import cardface
from studyattn.tui.widgets.lines import Hint, hint

if TYPE_CHECKING:
    from studyattn.store.search import Marked
    from studyattn.study.learner import Learner
    from studyattn.study.search import Result
    from studyattn.study.views import Shown

LIMIT: Final = 40
_KIND: Final = 9
"""Columns of the kind before a title."""


class SearchScreen(StudyScreen, goes=False):
    """The words on top, what has them below; the arrows choose while the typing goes on."""

    PLACE = Place.SEARCH
    CSS_PATH = "search.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[str, Result] = {}
        self._searched: str | None = None

    def body(self) -> Iterable[Widget]:
        words = Input(placeholder="words in notes, cards, concepts, documents", id="words")
        words.cursor_blink = False
        yield words
        yield OptionList(id="found", markup=False)
        yield Static(id="nothing", markup=False)

    async def load(self) -> None:
        self.query_one("#words", Input).focus()
        self._searched = None  # what was found may have changed meanwhile
        await self._search()

    @property
    def _list(self) -> OptionList:
        return self.query_one("#found", OptionList)

    @property
    def _query(self) -> str:
        return self.query_one("#words", Input).value

    @on(Input.Changed)
    def _typed(self) -> None:
        self.do(self._search)

    async def _search(self) -> None:
        """Look for what stands in the line now; a search that was overtaken is skipped."""
        query = self._query
        if query == self._searched:
            return
        self._searched = query
        found = await self._ask(query, as_text=False)
        if not found and query.strip() and query == self._query:
            found = await self._ask(query, as_text=True)
        self._found = {f"{result.kind} {result.key}": result for result in found}
        self._fill()

    async def _ask(self, query: str, *, as_text: bool) -> list[Result]:
        def find(learner: Learner) -> list[Result]:
            from studyattn.study.search import search

            return search(learner, query, limit=LIMIT + 1, as_text=as_text)

        return await self.study.desk.ask(find)

    def _fill(self) -> None:
        width = max(30, self.size.width - 8)
        results = list(self._found.items())[:LIMIT]
        self._list.set_options([Option(_row(result, width), id=key) for key, result in results])
        if results:
            self._list.highlighted = 0
        self.draw()
        self.show_hints()

    def draw(self) -> None:
        found = len(self._found)
        tally = f"the first {LIMIT}: type to narrow" if found > LIMIT else count(found, "result")
        asked = bool((self._searched or "").strip())
        self.headline("Search", tally if asked else "")
        self._list.display = found > 0
        nothing = "Nothing has these words." if asked else _EXPLANATION
        self.query_one("#nothing", Static).update(
            Content.styled("" if found else nothing, "$quiet")
        )

    def on_resize(self) -> None:
        if self.is_mounted and self._searched is not None:
            self.call_after_refresh(self._fill)

    def hints(self) -> Iterable[Hint]:
        if self._found:
            yield hint("search.open")
            yield hint("search.down", "choose", key="↑↓")
        yield hint("back")

    def action_step(self, by: int) -> None:
        """Choose the result above or below, while the typing goes on."""
        if by < 0:
            self._list.action_cursor_up()
        else:
            self._list.action_cursor_down()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_open()

    @on(OptionList.OptionSelected)
    def _clicked(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Go to the chosen result, as it is when the search for all that was typed is done."""
        self.do(self._open)

    async def _open(self) -> None:
        option = self._list.highlighted_option
        result = self._found.get(option.id) if option is not None and option.id else None
        if result is None:
            return
        if result.kind == "note":
            from studyattn.tui.screens.note import NoteScreen

            self.app.push_screen(NoteScreen(int(result.key)))
        elif result.kind == "concept":
            from studyattn.tui.screens.concept import ConceptScreen

            self.app.push_screen(ConceptScreen(result.key))
        elif result.kind == "source":
            from studyattn.tui.screens.source import SourceScreen

            self.app.push_screen(SourceScreen(result.key, _first_mark(result)))
        else:
            await self._open_card(result.key)

    async def _open_card(self, guid: str) -> None:
        def read(learner: Learner) -> Shown:
            from studyattn.study.browse import show_item

            return show_item(learner, guid)

        card, look = await self.study.desk.ask(read), self.study.look
        self.app.push_screen(
            PageScreen(card.concept_title, lambda width: cardface.both(card, width, look))
        )


_EXPLANATION = (
    "Words are found by their beginning, whatever their case and accents.\n"
    '“…” in straight quotation marks are found as they stand: "dot product".'
)


def _first_mark(result: Result) -> str:
    """The first word of the text that was looked for, as it is written there."""
    marks = result.excerpt.marks
    return result.excerpt.text[slice(*marks[0])] if marks else ""


def _row(result: Result, width: int) -> Content:
    """Kind, title and what it belongs to; below, the words in their sentence."""
    room = width - _KIND
    about = Content.styled(result.about, "$quiet").truncate(room // 3, ellipsis=True)
    gap = 2 if result.about else 0
    title = pad(_marked(result.title), room - about.cell_length - gap)
    first = Content.assemble(
        pad(Content.styled(result.kind, "$quiet"), _KIND), title, " " * gap, about
    )
    if not result.excerpt.text:
        return first
    excerpt = _around(result.excerpt, room).stylize_before("$quiet")
    return Content("\n").join([first, Content.assemble(" " * _KIND, excerpt)])


def _around(line: Marked, room: int) -> Content:
    """As much of a line as there is room for, with the first word that was looked for in it."""
    content = _marked(line)
    start, end = line.marks[0] if line.marks else (0, 0)
    if content[:end].cell_length > room - 2:
        content = Content.assemble("…", content[max(0, start - room // 3) :])
    return content.truncate(room, ellipsis=True)


def _marked(line: Marked) -> Content:
    """The line, what was looked for in the accent colour and bold."""
    from studyattn.text.lines import clean

    content = Content(clean(line.text))
    for start, end in line.marks:
        content = content.stylize("$accent bold", start, end)
    return content
