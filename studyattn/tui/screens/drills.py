"""All drills in the order of learning, the brief and the attempts of the chosen one beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.content import Content

from studyattn.grading.report_text import sign
from studyattn.grading.verdict import headline
from studyattn.memory.state import drill_id
from studyattn.study.practice.attempts import history
from studyattn.study.practice.drill_views import CodeVersion
from studyattn.study.practice.drills import (
    DrillLine,
    FoundDrill,
    checked_backend,
    find_drill,
    list_drills,
)
from studyattn.study.profile import Profile
from studyattn.study.review.queue import due_items
from studyattn.tui.attention_view.example import opening_of
from studyattn.tui.formatting import count, pad
from studyattn.tui.screens.base import need
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import face

_SIGNS = {
    "new": Content(" "),
    "tried": Content.styled("·", "$quiet"),
    "passed": Content.styled("✓", "$right"),
    "revealed": Content.styled("○", "$wrong"),
}
_WORDS = {"new": "", "tried": "tried", "passed": "passed", "revealed": "solution seen"}
_LEVELS = 5
_ATTEMPTS = 6  # that are listed
_GAPS = 6  # columns before the title and between what follows it
_SHORTEST_TITLE = 12


class DrillsScreen(ListDetailScreen[DrillLine]):
    """The list; enter opens a drill, those that are due say so."""

    SCOPE = "Drills"
    EMPTY = "No drills yet. Drills come with a pack."
    _due: frozenset[str] = frozenset()

    async def load(self) -> None:
        def read(profile: Profile) -> tuple[list[DrillLine], frozenset[str]]:
            due = (item.guid for item in due_items(profile) if item.kind == "drill" and item.due)
            return [*list_drills(profile)], frozenset(map(drill_id, due))

        drills, self._due = await self.study(read)
        self.show({drill.id: drill for drill in drills})

    def heading(self) -> tuple[str, str]:
        passed = sum(drill.state == "passed" for drill in self.rows.values())
        tally = f"{passed} of {count(len(self.rows), 'drill')} passed"
        return "Drills", tally if self.is_loaded else ""

    def draw_rows(self, width: int) -> Iterable[Content]:
        states = [
            Content.styled("due", "$accent")
            if drill.id in self._due
            else Content(drill.step or _WORDS[drill.state])
            for drill in self.rows.values()
        ]
        room = max((state.cell_length for state in states), default=0)
        title = max(_SHORTEST_TITLE, width - room - _LEVELS - _GAPS)
        for drill, state in zip(self.rows.values(), states, strict=True):
            level = "●" * drill.level + "○" * (_LEVELS - drill.level)
            row = (_SIGNS[drill.state], " ", pad(drill.title, title))
            yield Content.assemble(
                *row, "  ", (level, "$quiet"), "  ", pad(state, room, right=True)
            )

    def reader(self, key: str) -> Callable[[Profile], object]:
        def read(profile: Profile) -> tuple[FoundDrill, tuple[CodeVersion, ...]]:
            found = find_drill(profile.home, key)
            return found, history(profile, found.guid)

        return read

    def draw_detail(self, item: DrillLine, width: int) -> Content | None:
        """Return the brief of the chosen drill, its last attempts above it."""
        if self.read is None:
            return None
        found, versions = self.read
        lines = [Content.styled(item.title, "bold"), Content()]
        for version in reversed(versions[-_ATTEMPTS:]):
            mark = sign(version.verdict)
            style = "$right" if mark == "✓" else "$wrong"
            told = f"{mark} {headline(version.verdict or '', version.message)}"
            named = ", ".join(version.misconceptions)
            result = (told, style) if version.verdict is not None else ("kept", "$quiet")
            day = (f"{self.days().date_of(version.at):<12}", "$quiet")
            lines.append(Content.assemble(day, result, (f"   {named}" if named else "", "$quiet")))
        if len(versions) > _ATTEMPTS:
            lines.append(Content.styled(f"and {len(versions) - _ATTEMPTS} before", "$quiet"))
        if versions:
            lines.append(Content())
        brief = face(found.brief.text_in(checked_backend(found.brief, None)), width)
        return Content("\n").join([*lines, Content.from_rich_text(brief)])

    def first(self) -> str:
        """Return a drill that is due, else the first that has not passed."""
        due = (key for key in self.rows if key in self._due)
        unpassed = (key for key, drill in self.rows.items() if drill.state != "passed")
        return next(due, next(unpassed, super().first()))

    def hints(self) -> Offers:
        key = self.chosen_key
        pattern = key is not None and opening_of(key) is not None and "pattern"
        return (key and "open", pattern, key and "cost explain", "back")

    def action_open(self) -> None:
        self.go("drill", need(self.chosen_key))

    def action_explain(self) -> None:
        self.go("concept", need(self.chosen).concept, explains=True)

    def action_cost(self) -> None:
        self.go("cost", need(self.chosen_key))

    def action_pattern(self) -> None:
        opening = opening_of(need(self.chosen_key))
        self.go("pattern", need(opening, "this drill has no attention pattern"))
