"""All drills in the order of learning: level, concept, and how far each has come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.widgets import OptionList

from studyattn.memory.state import drill_id
from studyattn.study.practice.drill_log import DrillLine, list_drills
from studyattn.study.review.queue import due_items
from studyattn.tui.actions import Scope
from studyattn.tui.attention_view.gallery import opening_of
from studyattn.tui.formatting import count, pad
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import Hint, hint

if TYPE_CHECKING:
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
_TITLE = 44  # the width of titles before a concept is shown beside them
_SHORTEST_CONCEPT = 12


class DrillsScreen(ListDetailScreen[DrillLine]):
    """The list; enter opens a drill, those that are due say so."""

    SCOPE = Scope.DRILLS
    DETAIL = False

    def __init__(self) -> None:
        super().__init__()
        self._due: frozenset[str] = frozenset()

    async def load(self) -> None:
        drills, self._due = await self.database.run_with_profile(_drills)
        self.show({drill.id: drill for drill in drills})

    def heading(self) -> tuple[str, str]:
        passed = sum(drill.state == "passed" for drill in self.rows.values())
        tally = f"{passed} of {count(len(self.rows), 'drill')} passed"
        return "Drills", tally if self.is_loaded else ""

    def empty(self) -> str:
        return "No drills here: they come with a pack."

    def draw_rows(self, width: int) -> Iterable[Content]:
        states = [
            Content.styled("due now", "$accent")
            if drill.id in self._due
            else Content(_WORDS[drill.state])
            for drill in self.rows.values()
        ]
        room = max((state.cell_length for state in states), default=0)
        for drill, state in zip(self.rows.values(), states, strict=True):
            yield _row(drill, width, pad(state, room, right=True))

    def first(self) -> str:
        """Return a drill that is due, else the first that has not passed."""
        due = (key for key in self.rows if key in self._due)
        unpassed = (key for key, drill in self.rows.items() if drill.state != "passed")
        return next(due, next(unpassed, super().first()))

    def hints(self) -> Iterable[Hint]:
        if self.chosen_key is not None:
            yield hint("drills.open")
            if opening_of(self.chosen_key) is not None:
                yield hint("drills.pattern")
            yield hint("drills.cost")
            yield hint("drills.explain")
        yield hint("back")

    @on(OptionList.OptionHighlighted)
    def _say_keys(self) -> None:
        self.show_hints()

    def action_open(self) -> None:
        """Work on the chosen drill."""
        if self.chosen_key is not None:
            self.go("drill", self.chosen_key)

    def action_explain(self) -> None:
        """Read the explanation of the concept of the chosen drill."""
        if self.chosen is not None:
            self.go("concept", self.chosen.concept, explains=True)

    def action_cost(self) -> None:
        """Open the cost lab of the chosen drill."""
        if self.chosen_key is not None:
            self.go("cost", self.chosen_key)

    def action_pattern(self) -> None:
        """See attention at work, in an example of the chosen drill."""
        opening = opening_of(self.chosen_key) if self.chosen_key is not None else None
        if opening is None:
            self.show_hints("there is no attention pattern in this drill")
        else:
            self.go("pattern", opening)


def _drills(profile: Profile) -> tuple[tuple[DrillLine, ...], frozenset[str]]:
    """Every drill, and the ids of those that are due."""
    due = (item.guid for item in due_items(profile) if item.kind == "drill" and item.due)
    return tuple(list_drills(profile)), frozenset(map(drill_id, due))


def _row(line: DrillLine, width: int, state: Content) -> Content:
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
