"""A column of the board: the concepts of one state, chosen by keys, carried off by the mouse."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import bindings_of
from studyattn.tui.formatting import pad, paragraph
from studyattn.tui.widgets.concept_state import CELLS, NAMES, cells, cells_head, glance, sign
from studyattn.tui.widgets.side_panel import ROOM

if TYPE_CHECKING:
    from textual.css.styles import RulesMap

    from studyattn.study.concepts.board import ConceptLine

ONE_LINE = 40
"""Columns from which a concept has its memory beside its title and not below it."""

_SIDEWAYS = ("left", "right")  # what a list would scroll by, were it not for the board


class BoardRow(Visual):
    """A row of known height, drawn when it comes into view: most of a long column never does."""

    def __init__(self, draw: Callable[[], Content], height: int) -> None:
        self._draw = draw
        self._height = height

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Whatever there is."""
        del rules
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Lines, whatever the width."""
        del rules, width
        return self._height

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        """The lines themselves."""
        return self._draw().render_strips(width, height, style, options)


class ConceptList(OptionList):
    """The concepts of a column. A click chooses one, a double click opens it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in bindings_of("Concepts") if binding.key in _SIDEWAYS
    ]

    class Carried(Message):
        """The mouse carries a concept over the screen, or (`let_go`) has put it down."""

        def __init__(self, slug: str, at: Offset, *, let_go: bool) -> None:
            super().__init__()
            self.slug = slug
            self.at = at
            self.let_go = let_go

    def __init__(self) -> None:
        super().__init__()
        self._held: str | None = None  # slug of the concept under the pressed button
        self._carries = False

    @property
    def chosen(self) -> str | None:
        """The slug of the concept that is chosen in this column."""
        option = self.highlighted_option
        return None if option is None else option.id

    def choose(self, slug: str) -> None:
        """Make this concept the chosen one. It has to be in the column."""
        self.highlighted = self.get_option_index(slug)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        index = event.style.meta.get("option")
        if event.button == 1 and index is not None:
            self.highlighted = index
            self._held = self.chosen
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._held is not None:
            self._carries = True
            self.post_message(self.Carried(self._held, event.screen_offset, let_go=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._held is not None:
            self.release_mouse()
            if self._carries:
                self.post_message(self.Carried(self._held, event.screen_offset, let_go=True))
            self._held = None

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()  # a list would open what is clicked
        event.stop()
        carried, self._carries = self._carries, False
        if event.chain > 1 and not carried and event.style.meta.get("option") is not None:
            self.action_select()


class BoardColumn(Vertical):
    """A state's concepts below its name and number."""

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
    def concepts(self) -> ConceptList:
        """The concepts themselves."""
        return self.query_one(ConceptList)

    @property
    def slugs(self) -> list[str]:
        """The concepts that the column shows, in order."""
        return [line.slug for line in self._lines]

    def show(
        self, lines: Iterable[ConceptLine], total: int, of: int, marked: Collection[str]
    ) -> None:
        """Show these of `total` concepts, the chosen one still chosen where it is among them.

        The board has `of` concepts in all. Those `marked` have a suggestion.
        """
        self._lines, self._total, self._marked = list(lines), total, marked
        self.set_class(total == 0, "-empty")  # then its room is better given to the others
        self.set_class(2 * total > of, "-fullest")  # most of the room is for most of the concepts
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        chosen, before = self.concepts.chosen, self.concepts.highlighted or 0
        width = self.text_width
        options = [
            Option(BoardRow(partial(self._row, line, width), self._height(line, width)), line.slug)
            for line in self._lines
        ]
        self.concepts.set_options(options)
        if options:
            slugs = self.slugs
            kept = slugs.index(chosen) if chosen in slugs else min(before, len(slugs) - 1)
            self.concepts.highlighted = kept
        self.query_one(".head", Static).update(self._head(width))

    @property
    def text_width(self) -> int:
        """Columns for a row's text, one of them left for a scroll bar."""
        return max(8, self.size.width - 1)

    def _head(self, width: int) -> Content:
        shown = len(self._lines)
        number = f"{shown}" if shown == self._total else f"{shown} of {self._total}"
        name = Content.assemble(
            sign(self.state),
            " ",
            (NAMES[self.state].capitalize(), "bold"),
            "  ",
            (number, "$quiet"),
        )
        if width < ONE_LINE:
            return name
        return Content.assemble(pad(name, width - CELLS), cells_head())

    def _title(self, line: ConceptLine) -> Content:
        mark = Content.styled("→ ", "$accent") if line.slug in self._marked else Content()
        return Content.assemble(mark, line.title)

    def _height(self, line: ConceptLine, width: int) -> int:
        return len(self._titles(line, width)) + (width < ONE_LINE)

    def _titles(self, line: ConceptLine, width: int) -> list[Content]:
        """Return the lines of a title: the whole of it in a wide terminal, else the first."""
        title = self._title(line)
        room = width if width < ONE_LINE else width - CELLS - 1
        if self.screen.size.width < ROOM or title.cell_length <= room:
            return [title]
        return paragraph(title, room)

    def _row(self, line: ConceptLine, width: int) -> Content:
        first, *others = self._titles(line, width)
        if width >= ONE_LINE:
            first = Content.assemble(pad(first, width - CELLS - 1), " ", cells(line))
        else:
            others.append(Content.assemble("  ", glance(line, width - 2)))
        return Content("\n").join(pad(each, width) for each in (first, *others))
