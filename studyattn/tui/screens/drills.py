"""All drills in the order of learning: level, concept, and how far each has come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import Scope
from studyattn.tui.attention_view.gallery import opening_of
from studyattn.tui.formatting import count, pad
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets.header_footer import Hint, hint

if TYPE_CHECKING:
    from studyattn.study.practice.drill_log import DrillLine
    from studyattn.study.profile import Profile

_SIGNS = {
    "new": Content(" "),
    "tried": Content.styled("·", "$quiet"),
    "passed": Content.styled("✓", "$right"),
    "revealed": Content.styled("○", "$wrong"),
}
_WORDS = {"new": "", "tried": "tried", "passed": "passed", "revealed": "solution seen"}
_LEVELS = 5
_GAPS = 7  # columns before the title and between what follows it
_SHORTEST_TITLE = 12
_TITLE = 44  # what titles want before a concept stands beside them
_SHORTEST_CONCEPT = 12


class DrillsScreen(StudyScreen):
    """The list; enter opens a drill, those that are due say so."""

    SCOPE = Scope.DRILLS
    CSS_PATH = "drills.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[DrillLine, ...] | None = None
        self._due: frozenset[str] = frozenset()

    def body(self) -> Iterable[Widget]:
        yield OptionList(id="drills")
        yield Static("No drills here: they come with a pack.", id="empty", markup=False)

    @property
    def _options(self) -> OptionList:
        return self.query_one("#drills", OptionList)

    async def load(self) -> None:
        self._lines, self._due = await self.database.run_with_profile(_drills)
        self.draw()
        if self.focused is None:
            self._options.focus()

    def draw(self) -> None:
        lines = self._lines
        if lines is None:
            self.headline("Drills")
            return
        passed = sum(line.state == "passed" for line in lines)
        self.headline("Drills", f"{passed} of {count(len(lines), 'drill')} passed")
        options = self._options
        options.display, self.query_one("#empty").display = bool(lines), not lines
        chosen = options.highlighted
        width = self.width_in(options)
        states = [self._state(line) for line in lines]
        room = max((state.cell_length for state in states), default=0)
        options.set_options(
            Option(self._row(line, width, pad(state, room, right=True)), id=line.id)
            for line, state in zip(lines, states, strict=True)
        )
        if lines:
            options.highlighted = self._first() if chosen is None else chosen

    def _first(self) -> int:
        """The drill to begin with: one that is due, else the first that has not passed."""
        lines = self._lines or ()
        due = (i for i, line in enumerate(lines) if line.id in self._due)
        unpassed = (i for i, line in enumerate(lines) if line.state != "passed")
        return next(due, next(unpassed, 0))

    def _state(self, line: DrillLine) -> Content:
        due = line.id in self._due
        return Content.styled("due now", "$accent") if due else Content(_WORDS[line.state])

    def _row(self, line: DrillLine, width: int, state: Content) -> Content:
        level = "●" * line.level + "○" * (_LEVELS - line.level)
        others = state.cell_length + _LEVELS + _GAPS
        concept = min(24, width - others - _TITLE)
        concept = concept if concept >= _SHORTEST_CONCEPT else 0
        title = max(_SHORTEST_TITLE, width - others - concept)
        return Content.assemble(
            _SIGNS[line.state],
            " ",
            pad(line.title, title),
            " ",
            pad(Content.styled(line.concept, "$quiet"), concept),
            "  ",
            Content.styled(level, "$quiet"),
            "  ",
            state,
        )

    def hints(self) -> Iterable[Hint]:
        if self._chosen is not None:
            yield hint("drills.open")
            if opening_of(self._chosen) is not None:
                yield hint("drills.pattern")
            yield hint("drills.cost")
        yield hint("back")

    @property
    def _chosen(self) -> str | None:
        """The id of the drill that keys act on."""
        option = self._options.highlighted_option
        return None if option is None else option.id

    @on(OptionList.OptionHighlighted)
    def _say_keys(self) -> None:
        self.show_hints()

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Work on the chosen drill."""
        if self._chosen is not None:
            self.go("drill", self._chosen)

    def action_cost(self) -> None:
        """How the cost of the chosen drill grows."""
        if self._chosen is not None:
            self.go("cost", self._chosen)

    def action_pattern(self) -> None:
        """See attention at work, in an example of the chosen drill."""
        opening = opening_of(self._chosen) if self._chosen is not None else None
        if opening is None:
            self.show_hints("there is no attention pattern in this drill")
        else:
            self.go("pattern", opening)


def _drills(profile: Profile) -> tuple[tuple[DrillLine, ...], frozenset[str]]:
    """Every drill, and the ids of those that are due."""
    from studyattn.study.practice.drill_log import list_drills
    from studyattn.study.review.card_loader import drill_id
    from studyattn.study.review.queue import due_items

    due = (item.guid for item in due_items(profile) if item.kind == "drill" and item.due)
    return tuple(list_drills(profile)), frozenset(map(drill_id, due))
