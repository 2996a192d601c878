"""The path as it is drawn: a row for each concept, the goals, and the map of a placement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from studyattn.study.concepts.path import (
    ConceptProgress,
    DrillOnPath,
    LearningPath,
    Milestone,
    PathStop,
)
from studyattn.study.concepts.placement import MapStop
from studyattn.tui.formatting import (
    Days,
    Lines,
    count,
    day_name,
    join_lines,
    pad,
    progress_bar,
)

_BAR = 8
_SHORT_BAR = 4  # where the titles need the room
_PROGRESS = 9  # columns of the word for how far a concept is
_DRILL = 9  # columns of a drill's sign and state
_NAMED = 24  # columns of a drill with its name
_ANSWER = 12  # columns of what was answered
_SIGNS = {
    ConceptProgress.NOT_BEGUN: ("○", "$quiet"),
    ConceptProgress.PLACED: ("◐", "$quiet"),
    ConceptProgress.LEARNING: ("●", "$accent"),
    ConceptProgress.HELD: ("✓", "$right"),
    ConceptProgress.KNOWN: ("✓", "$right"),
}
_DRILL_STATES = {
    "new": ("", ""),
    "tried": ("tried", "$quiet"),
    "passed": ("✓", "$right"),
    "revealed": ("seen", "$quiet"),
}
_NEXT = ("▸", "$accent bold")


def tally(path: LearningPath) -> str:
    """Return how much of the path is begun and held: the right end of the first line."""
    begun = "begun or placed" if path.placed else "begun"
    return f"{path.begun} of {count(len(path.stops), 'concept')} {begun} · {path.held} held"


def draw_goals(path: LearningPath, width: int) -> Content:
    """Return a line for each goal ahead, with the way to it in lessons and time."""
    if not path.milestones:
        whole = "You have finished the path: every card and drill has been asked."
        return Content.styled(whole if path.stops else "", "$right")
    longest = max(len(each.title) for each in path.milestones)
    ways = _ways(path.milestones, path.minutes_per_day)
    if longest + max(map(len, ways)) + 4 > width:
        ways = _ways(path.milestones, 0)
    titles = min(longest, max(width // 2, width - max(map(len, ways)) - 4))
    flag = Content.styled("⚑ ", "$accent")
    return join_lines(
        Content.assemble(flag, pad(each.title, titles), "  ", (way, "$quiet"))
        for each, way in zip(path.milestones, ways, strict=True)
    )


def _ways(milestones: Iterable[Milestone], minutes_per_day: int) -> list[str]:
    """Return the way to each milestone in words; 0 minutes are left out."""
    return [
        (f"{count(each.lessons, 'lesson')}, " if each.lessons else "") + each.away(minutes_per_day)
        for each in milestones
    ]


def draw_stops(
    stops: Sequence[PathStop], following: str | None, days: Days, width: int
) -> Iterable[Content]:
    """Yield a row for each concept; the one called `following` is begun next.

    Titles come first: where they need the room, drills have no names, then bars are short, and at
    last a sign says alone how far a concept is.
    """
    longest = max((len(stop.title) for stop in stops), default=0)
    shape = next((each for each in _SHAPES if longest + each.taken <= width), _SHAPES[-1])
    title = min(longest, width - shape.taken)
    for stop in stops:
        comes_next = stop.slug == following
        word = "next" if comes_next else stop.progress.value
        style = "$accent" if comes_next else "$quiet"
        yield Content.assemble(
            Content.styled(*(_NEXT if comes_next else _SIGNS[stop.progress])),
            " ",
            pad(stop.title, title),
            " ",
            progress_bar(stop.share, shape.bar),
            "  ",
            pad(Content.styled(word, style), _PROGRESS + 2) if shape.worded else "",
            pad(_drills(stop.drills, days, named=shape.named), width - shape.before - title),
        )


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a row has beside its title."""

    bar: int  # columns
    worded: bool  # with the word for how far it is
    named: bool  # drills with their names

    @property
    def before(self) -> int:
        """Columns that are taken before the drills, without the title."""
        return 5 + self.bar + (_PROGRESS + 2 if self.worded else 0)

    @property
    def taken(self) -> int:
        """Columns that are taken beside the title, at least."""
        return self.before + (_NAMED if self.named else _DRILL)


_SHAPES = (
    _Shape(_BAR, worded=True, named=True),
    _Shape(_BAR, worded=True, named=False),
    _Shape(_SHORT_BAR, worded=True, named=False),
    _Shape(_SHORT_BAR, worded=False, named=False),
)
"""From the widest to the narrowest."""


def draw_map(stops: Sequence[MapStop], width: int) -> Iterable[Content]:
    """Yield a row for each concept of a placement, with the answer to its own question."""
    longest = max((len(stop.title) for stop in stops), default=0)
    title = min(longest, width - _PROGRESS - _ANSWER - 5)
    for stop in stops:
        yield Content.assemble(
            Content.styled(*_SIGNS[_placing(stop)]),
            " ",
            pad(stop.title, title),
            "  ",
            pad(Content.styled("placed" if stop.placed else "not yet", "$quiet"), _PROGRESS),
            " ",
            (_ANSWERS[stop.answer], "$quiet"),
        )


def draw_so_far(
    stops: Sequence[MapStop], asked: str, *, at_most: int, width: int, height: int
) -> Content:
    """Return the map as far as the answers of a placement have drawn it, in so many lines.

    `asked` is the title of the concept that is asked about now, and stays in view.
    """
    answers = sum(stop.answer is not None for stop in stops)
    placed = sum(stop.placed for stop in stops)
    page = Lines(width)
    page.add(("The map so far", "bold"))
    page.add(progress_bar(answers / max(1, at_most), width // 2))
    page.quiet(f"{placed} of {count(len(stops), 'concept')} placed")
    page.add()
    now = next((place for place, stop in enumerate(stops) if stop.title == asked), 0)
    room = max(5, height - len(page.lines) - 6)
    first = max(0, min(now - room // 2, len(stops) - room))
    for stop in stops[first : first + room]:
        is_now = stop.title == asked
        mark = _NEXT if is_now else _MISSED if stop.answer is False else _SIGNS[_placing(stop)]
        title = pad(stop.title, width - 2).rstrip()
        style = "bold" if is_now else "" if stop.answer is not None or stop.placed else "$quiet"
        page.add(mark, " ", title.stylize(style))
    page.add()
    page.wrap(
        "A right answer places the concept's prerequisites; a wrong one rules out what builds on "
        "it. The others are estimated from these.",
        "$quiet",
    )
    return page.content


_MISSED = ("✗", "$wrong")
_ANSWERS = {None: "", True: "answered", False: "not known"}


def _placing(stop: MapStop) -> ConceptProgress:
    return ConceptProgress.HELD if stop.placed else ConceptProgress.NOT_BEGUN


def _drills(drills: Sequence[DrillOnPath], days: Days, *, named: bool) -> Content:
    """Return the drills with their states, and their names where there is room."""
    parts = []
    for drill in drills:
        words, style = _drill_state(drill, days)
        name = f" {drill.id}" if named else ""
        parts.append(Content.assemble(f"✎{name}", (f" {words}" if words else "", style)))
    return Content("  ").join(parts)


def _drill_state(drill: DrillOnPath, days: Days) -> tuple[str, str]:
    if drill.due is not None and drill.due <= days.now:
        return "due", "$accent"
    if drill.due is not None:
        return f"due {day_name(days.of(drill.due), days.today)}", "$quiet"
    return _DRILL_STATES[drill.state]
