"""Concepts: a board with a column for each state, and ways to move a concept between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.css.styles import RulesMap
from textual.getters import query_one
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widget import Widget
from textual.widgets import OptionList, Static

from studyattn.study.concepts import suggestions
from studyattn.study.concepts.board import ConceptLine, list_concepts, merge, undo_move
from studyattn.study.concepts.concept_page import ConceptPage, show_concept
from studyattn.study.rules.evidence import Suggestion
from studyattn.tui.actions import bindings_of
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.formatting import count, join_lines, pad, paragraph
from studyattn.tui.screens.base import need, queued
from studyattn.tui.screens.list_detail import FilteredScreen
from studyattn.tui.widgets.concept_page import KNOWN, draw_beside
from studyattn.tui.widgets.concept_state import (
    CELLS,
    CELLS_HEAD,
    NAMES,
    cells,
    glance,
    question,
    sign,
    summary,
)
from studyattn.tui.widgets.header_footer import ROOM, KeyedList, Offers, SidePanel

ROOMY = 76  # columns from which the columns of the board stand side by side
ONE_LINE = 40  # columns from which a concept has its memory beside its title and not below it


class BoardRow(Visual):
    """A row of known height, drawn when it comes into view: most of a long column never does."""

    def __init__(self, draw: Callable[[], Content], height: int) -> None:
        self._draw = draw
        self._height = height

    def get_optimal_width(self, _rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, _rules: RulesMap, _width: int) -> int:
        return self._height

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        return self._draw().render_strips(width, height, style, options)


class ConceptList(KeyedList):
    """The concepts of a column; left and right, by which a list scrolls, lead over the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in bindings_of("Concepts") if binding.key in {"left", "right"}
    ]


class BoardColumn(Vertical):
    """A state's concepts below its name and number."""

    concepts = query_one(ConceptList)

    def __init__(self, state: str) -> None:
        super().__init__(id=state)
        self.state = state
        self._lines: Sequence[ConceptLine] = ()
        self._total = 0
        self._marked: Collection[str] = ()

    def compose(self) -> ComposeResult:
        yield Static(classes="head", markup=False)
        yield ConceptList()

    @property
    def slugs(self) -> list[str]:
        """The concepts that the column shows, in order."""
        return [line.slug for line in self._lines]

    def show(self, lines: Iterable[ConceptLine], total: int, marked: Collection[str]) -> None:
        """Show these of `total` concepts, the chosen one still chosen where it is among them.

        Those `marked` have a suggestion.
        """
        self._lines, self._total, self._marked = list(lines), total, marked
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width = max(8, self.size.width - 1)  # for a row's text, beside a scroll bar
        rows = {
            line.slug: BoardRow(partial(self._row, line, width), self._height(line, width))
            for line in self._lines
        }
        self.concepts.show(rows, place=self.concepts.highlighted or 0)
        shown = len(self._lines)
        number = f"{shown}" if shown == self._total else f"{shown} of {self._total}"
        head = Content.assemble(
            sign(self.state),
            " ",
            (NAMES[self.state].capitalize(), "bold"),
            "  ",
            (number, "$quiet"),
        )
        if width >= ONE_LINE and self.has_class("-chosen"):
            head = Content.assemble(pad(head, width - CELLS), CELLS_HEAD)
        self.query_one(".head", Static).update(head)

    def _height(self, line: ConceptLine, width: int) -> int:
        return len(self._titles(line, width)) + (width < ONE_LINE)

    def _titles(self, line: ConceptLine, width: int) -> list[Content]:
        """Return the lines of a title: the whole of it where there is room, else the first."""
        mark = Content.styled("→ ", "$accent") if line.slug in self._marked else Content()
        title = Content.assemble(mark, line.title)
        if self.screen.size.width < ROOM and not self.has_class("-chosen"):
            return [title]
        room = width if width < ONE_LINE else width - CELLS - 1
        return [title] if title.cell_length <= room else paragraph(title, room - 2)

    def _row(self, line: ConceptLine, width: int) -> Content:
        first, *others = self._titles(line, width)
        others = [Content.assemble("  ", each) for each in others]
        if width >= ONE_LINE:
            first = Content.assemble(pad(first, width - CELLS - 1), " ", cells(line))
        else:
            others.append(Content.assemble("  ", glance(line, width - 2)))
        return Content("\n").join(pad(each, width) for each in (first, *others))


class ConceptsScreen(FilteredScreen):
    """Three columns, and what is known of the chosen concept: beside them, or in two lines below.

    Its whole page is behind enter.
    """

    SCOPE = "Concepts"
    FILTER = "part of a title"
    _lines: Mapping[str, ConceptLine] = {}
    _suggestions: Mapping[str, Suggestion] = {}
    _page: ConceptPage | None = None  # of the chosen concept, beside the board

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (ROOMY, "-roomy"), (ROOM, "-wide")]

    def body(self) -> Iterable[Widget]:
        for line in super().body():
            line.display = False
            yield line
        with Horizontal(id="board"):
            for state in NAMES:
                yield BoardColumn(state)
            yield SidePanel()
        yield Static("No concepts yet. Press I to import documents.", id="empty")
        yield Static(id="about", markup=False)

    async def load(self) -> None:
        lines = await self.study(list_concepts)
        self._lines = {line.slug: line for line in lines if line.joined_into is None}
        self._page = None
        self._fill()
        if self.focused is None:
            self._focus_first()
        self._read_suggestions()

    @queued
    async def _read_suggestions(self) -> None:
        made = await self.study(suggestions.suggestions)
        found = {each.slug: each for each in made}
        if found != self._suggestions:
            self._suggestions = found
            self._page = None
            self._fill()

    # What is shown.

    @property
    def _columns(self) -> list[BoardColumn]:
        return list(self.query(BoardColumn))

    @property
    def _column(self) -> BoardColumn:
        """The column with the chosen concept: the last that had the focus."""
        columns = self._columns
        return next((each for each in columns if each.has_class("-chosen")), columns[0])

    @property
    def chosen(self) -> ConceptLine | None:
        slug = self._column.concepts.key
        return self._lines.get(slug) if slug else None

    def _fill(self) -> None:
        """Give each column the concepts that the search finds."""
        words = self.words.casefold().split()
        lines = self._lines.values()
        for column in self._columns:
            own = [line for line in lines if line.state == column.state]
            found = [line for line in own if all(word in line.title.casefold() for word in words)]
            column.show(found, len(own), self._suggestions)
        self.draw()

    def draw(self) -> None:
        lines, waiting = self._lines, len(self._suggestions)
        tally = f"→ {count(waiting, 'suggestion')}   " if waiting else ""
        self.headline("Concepts", f"{tally}{count(len(lines), 'concept')}" if lines else "")
        self.query_one("#empty").display = not lines
        self.query_one("#board").display = bool(lines)
        self._draw_about()

    async def _read_page(self) -> None:
        """Read the page of the chosen concept; one that was chosen meanwhile is read instead."""
        chosen = self.chosen
        if chosen is None or (self._page is not None and self._page.line.slug == chosen.slug):
            return
        self._page = await self.study(show_concept, slug=chosen.slug)
        self._draw_beside(anew=True)

    def _draw_beside(self, *, anew: bool = False) -> None:
        chosen, page = self.chosen, self._page
        if chosen is None:
            self.side.show(lambda _width: Content())
        elif page is not None and page.line.slug == chosen.slug:
            view = self.concept_view()
            self.side.show(lambda width: draw_beside(page, width, view, KNOWN), anew=anew)

    def _draw_about(self) -> None:
        """Two lines on the chosen concept: its whole title, and what it could do next."""
        if self.has_class("-wide"):
            self._draw_beside()
            self.do(self._read_page)
            return
        chosen, width = self.chosen, self.size.width - 2
        about = self.query_one("#about", Static)
        if chosen is None:
            about.update("")
            return
        title = Content.assemble(sign(chosen.state), " ", (chosen.title, "bold"))
        below = Content.styled(summary(chosen), "$quiet")
        if (asked := self._suggestions.get(chosen.slug)) is not None:
            below = Content.assemble(("→ ", "$accent"), question(asked))
        about.update(join_lines([pad(title, width), *paragraph(below, width)]))

    def hints(self) -> Offers:
        if self.line.has_focus:
            return ("down", ("back", "all of them"))
        asked = self.suggestion is not None and "accept later"
        chosen = (asked, "move", "open") if self.chosen is not None else ()
        return (*chosen, "search undo back")

    # Choosing.

    def on_descendant_focus(self) -> None:
        for column in self._columns:
            if column.concepts.has_focus:
                for each in self._columns:
                    each.set_class(each is column, "-chosen")
        self._draw_about()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        self._draw_about()
        self.refresh_hints()

    def _focus_first(self) -> None:
        """The first column that has something in it."""
        column = next((each for each in self._columns if each.slugs), self._columns[0])
        column.concepts.focus()

    def _choose(self, slug: str) -> None:
        """Make this concept the chosen one, in whichever column it is."""
        for column in self._columns:
            if slug in column.slugs:
                column.concepts.highlighted = column.slugs.index(slug)
                column.concepts.focus()

    def action_beside(self, by: int) -> None:
        columns = self._columns
        at = min(max(columns.index(self._column) + by, 0), len(columns) - 1)
        columns[at].concepts.focus()

    def action_search(self) -> None:
        search = self.line
        search.display = True
        search.focus()

    async def find(self, _words: str) -> None:
        self._fill()

    def action_down(self) -> None:
        self.line.display = bool(self.words)
        self._fill()
        self._focus_first()

    def action_back(self) -> None:
        search = self.line
        if search.display:
            search.value = ""
            search.display = False
            self._fill()
            self._column.concepts.focus()
        else:
            super().action_back()

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        self.go("concept", need(self.chosen).slug)

    # Moving.

    def action_move(self) -> None:
        self.move_concept(need(self.chosen))

    def action_shift(self, by: int) -> None:
        chosen, states = need(self.chosen), list(NAMES)
        at = states.index(chosen.state) + by
        if 0 <= at < len(states):
            self.move_concept(chosen, states[at])
        else:
            self.show_hints("there is no column on that side")

    async def reload(self, notice: str) -> None:
        column, chosen = self._column, self.chosen
        await self.renew()
        if chosen is not None and not column.slugs:
            self._choose(chosen.slug)
        self.show_hints(notice)

    async def action_undo(self) -> None:
        undone = need(await self.study(undo_move), "no move to undo")
        await self.renew()
        self._choose(undone.slug)
        self.show_hints(f"undone: {undone.title} is {NAMES[undone.to_state]} again")

    @property
    def suggestion(self) -> Suggestion | None:
        return self._suggestions.get(self.chosen.slug) if self.chosen else None

    def action_join(self) -> None:
        chosen = need(self.chosen)
        others = {slug: line.title for slug, line in self._lines.items()}
        del others[chosen.slug]
        need(others)

        async def join(whole: str) -> None:
            await self.study(merge, chosen.slug, whole)
            await self.renew()
            self._choose(whole)
            self.show_hints(
                f"{chosen.title} is part of {others[whole]} now; unmerge it on its page"
            )

        explanation = "Their cards are shown together. To unmerge, open the other concept's page."
        self.ask(PickScreen(f"{chosen.title} is the same as", others, explanation), join)
