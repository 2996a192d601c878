"""Concepts: every one with its state; the page of the chosen one; states change with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import Place
from studyattn.tui.layout import count, pad
from studyattn.tui.screens.base import READING_WIDTH, WIDE, StudyScreen
from studyattn.tui.screens.editor import EditorScreen, Field, Written
from studyattn.tui.screens.page import PageScreen
from studyattn.tui.widgets import conceptpage
from studyattn.tui.widgets.conceptpage import NAMES, sign
from studyattn.tui.widgets.lines import Hint, hint

if TYPE_CHECKING:
    from studyattn.packs.model import Erratum
    from studyattn.study.conceptpage import ConceptPage
    from studyattn.study.concepts import ConceptLine
    from studyattn.study.learner import Learner


class ConceptsScreen(StudyScreen):
    """The list on the left; the page beside it where the terminal is wide, else behind enter."""

    PLACE = Place.CONCEPTS
    CSS_PATH = "concepts.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self._lines: dict[str, ConceptLine] = {}
        self._page: ConceptPage | None = None
        self._errata: tuple[Erratum, ...] = ()

    def body(self) -> Iterable[Widget]:
        search = Input(placeholder="search concepts", id="search")
        search.cursor_blink = False
        yield search
        with Horizontal():
            yield OptionList(id="concepts")
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="page", markup=False)

    async def load(self) -> None:
        def read(learner: Learner) -> list[ConceptLine]:
            from studyattn.study.concepts import list_concepts

            return list_concepts(learner)

        lines = await self.study.desk.ask(read)
        self._lines = {line.slug: line for line in lines}
        self._fill()
        if self.focused is None:
            self._options.focus()

    @property
    def _options(self) -> OptionList:
        return self.query_one("#concepts", OptionList)

    @property
    def _chosen(self) -> ConceptLine | None:
        option = self._options.highlighted_option
        return self._lines.get(option.id) if option is not None and option.id else None

    def _fill(self) -> None:
        """The concepts that the search finds, the chosen one still chosen."""
        words = self.query_one("#search", Input).value.casefold().split()
        found = [
            line
            for line in self._lines.values()
            if all(word in line.title.casefold() for word in words)
        ]
        before = self._chosen
        options = self._options
        options.clear_options()
        width = self._list_width()
        options.add_options([Option(_row(line, width), id=line.slug) for line in found])
        if found:
            slugs = [line.slug for line in found]
            kept = before is not None and before.slug in slugs
            options.highlighted = slugs.index(before.slug) if kept and before else 0
        self.draw()

    def _list_width(self) -> int:
        return self.width_in(self._options)

    def draw(self) -> None:
        states = [line.state for line in self._lines.values()]
        tally = Content("   ").join(
            Content.assemble(sign(state), f" {states.count(state)} ", (NAMES[state], "$quiet"))
            for state in NAMES
        )
        self.headline("Concepts", tally if states else "")
        page = self.query_one("#page", Static)
        if not self._lines:
            page.update("")
        elif self._page is not None:
            width = min(READING_WIDTH, self.query_one("#beside").content_size.width - 1)
            day = self.study.local_day()
            page.update(conceptpage.draw(self._page, self._errata, day, self.study.look, width))

    def on_resize(self) -> None:
        if self.is_mounted and self._lines:
            self.call_after_refresh(self._fill)

    def hints(self) -> Iterable[Hint]:
        if self.query_one("#search", Input).has_focus:
            yield hint("concepts.search", "to the list", key="enter")
            return
        yield hint("concepts.known")
        yield hint("concepts.known_unknown")
        yield hint("concepts.unseen")
        if self.has_class("-narrow"):
            yield hint("concepts.open")
        yield hint("concepts.search")
        yield hint("back")

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    @on(OptionList.OptionHighlighted)
    def _show_page(self) -> None:
        self.do(self._read_page)

    async def _read_page(self) -> None:
        chosen = self._chosen
        if chosen is None or (self._page is not None and self._page.line == chosen):
            return
        self._page, self._errata = await self._page_of(chosen.slug)
        self.draw()
        self.query_one("#beside", VerticalScroll).scroll_home(animate=False)

    async def _page_of(self, slug: str) -> tuple[ConceptPage, tuple[Erratum, ...]]:
        def read(learner: Learner) -> tuple[ConceptPage, tuple[Erratum, ...]]:
            from studyattn.study.conceptpage import show_concept
            from studyattn.study.errata import errata_on

            return show_concept(learner, slug), errata_on(learner, slug)

        return await self.study.desk.ask(read)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """The page of the chosen concept, on a page of its own."""
        self.do(self._open)

    async def _open(self) -> None:
        chosen = self._chosen
        if chosen is not None:
            page, errata = await self._page_of(chosen.slug)
            day, look = self.study.local_day(), self.study.look
            drawing = partial(conceptpage.draw, page, errata, day, look)
            self.app.push_screen(PageScreen(chosen.title, drawing))

    def action_search(self) -> None:
        """Type a part of a title."""
        self.query_one("#search", Input).focus()

    @on(Input.Changed)
    def _searched(self) -> None:
        if self._lines:
            self._fill()

    @on(Input.Submitted)
    def _found(self) -> None:
        self._options.focus()

    def action_back(self) -> None:
        search = self.query_one("#search", Input)
        if search.has_focus or search.value:
            search.value = ""
            self._options.focus()
        else:
            super().action_back()

    def action_move(self, state: str) -> None:
        """Ask for the reason, then move the chosen concept."""
        chosen = self._chosen
        if chosen is None:
            return
        if chosen.state == state:
            self.show_hints(f"it is {NAMES[state]} already")
            return

        def save(written: Written | None) -> None:
            if written is not None:
                self.do(partial(self._move, chosen, state, written["reason"].strip()))

        editor = EditorScreen(
            f"{chosen.title}: {NAMES[chosen.state]} → {NAMES[state]}",
            Field("reason", "Why (may stay empty)"),
        )
        self.app.push_screen(editor, save)

    async def _move(self, line: ConceptLine, state: str, reason: str) -> None:
        def change(learner: Learner) -> None:
            from studyattn.study.concepts import set_state

            set_state(learner, line.slug, state, reason)

        await self.study.desk.ask(change)
        self._page = None
        await self.load()
        await self._read_page()
        self.show_hints(f"{line.title} is {NAMES[state]} now")


def _row(line: ConceptLine, width: int) -> Content:
    """Sign, title, how many of its cards hold."""
    drills = count(line.drills, "drill") if line.drills else ""
    held = f"{line.held} of {line.cards} held" if line.cards else "no cards"
    right = f"{held:>12}{drills:>10}"
    title = Content.assemble(sign(line.state), " ", ("  " if line.joined_into else ""), line.title)
    room = width - len(right) - 2
    if room < 24:
        return pad(title, width)
    return Content.assemble(pad(title, room), "  ", (right, "$quiet"))
