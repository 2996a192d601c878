"""The path as it is drawn: a row for each concept, the goals, and how far it is to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from textual.content import Content

from studyattn.study.concepts.path import (
    ConceptProgress,
    DrillOnPath,
    LearningPath,
    Milestone,
    PathStop,
)
from studyattn.study.concepts.placement import MapStop
from studyattn.tui.formatting import count, day_name, join_lines, pad, progress_bar

_BAR = 8
_PROGRESS = 9  # columns of the word for how far a concept is
_GAPS = 7  # columns between the parts of a row, its sign included
_DRILL = 12  # columns of a drill's sign and state
_LONGEST_TITLE = 48
_NAMED = 100  # columns from which drills are named
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
        whole = "The path is behind you: every card and drill on it was asked."
        return Content.styled(whole if path.stops else "", "$right")
    titles = min(max(len(each.title) for each in path.milestones), width // 2)
    room = width - titles - 4
    ways = _ways(path.milestones, path.minutes_per_day)
    if max(map(len, ways)) > room:
        ways = _ways(path.milestones, 0)
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
    stops: Iterable[PathStop], following: str | None, today: date, width: int
) -> Iterable[Content]:
    """Yield a row for each concept; the one called `following` is begun next."""
    others = _BAR + _PROGRESS + _GAPS
    title = min(_LONGEST_TITLE, width - others - _DRILL)
    room = width - others - title
    for stop in stops:
        comes_next = stop.slug == following
        word = "next" if comes_next else stop.progress.value
        style = "$accent" if comes_next else "$quiet"
        yield Content.assemble(
            Content.styled(*(_NEXT if comes_next else _SIGNS[stop.progress])),
            " ",
            pad(stop.title, title),
            " ",
            progress_bar(stop.share, _BAR),
            "  ",
            pad(Content.styled(word, style), _PROGRESS),
            "  ",
            pad(_drills(stop.drills, today, named=width >= _NAMED), max(0, room)),
        )


def draw_map(stops: Iterable[MapStop], width: int) -> Iterable[Content]:
    """Yield a row for each concept of a placement, with the answer to its own question."""
    title = min(_LONGEST_TITLE, width - _BAR - _PROGRESS - _GAPS - _DRILL)
    for stop in stops:
        progress = ConceptProgress.HELD if stop.placed else ConceptProgress.NOT_BEGUN
        answer = {None: "", True: "answered", False: "not known"}[stop.answer]
        yield Content.assemble(
            Content.styled(*_SIGNS[progress]),
            " ",
            pad(stop.title, title),
            " ",
            progress_bar(float(stop.placed), _BAR),
            "  ",
            pad(Content.styled("placed" if stop.placed else "not yet", "$quiet"), _PROGRESS),
            "  ",
            (answer, "$quiet"),
        )


def _drills(drills: Sequence[DrillOnPath], today: date, *, named: bool) -> Content:
    """Return the drills with their states, and their names where there is room."""
    parts = []
    for drill in drills:
        words, style = _drill_state(drill, today)
        name = f" {drill.id}" if named else ""
        parts.append(Content.assemble(f"✎{name}", (f" {words}" if words else "", style)))
    return Content("  ").join(parts)


def _drill_state(drill: DrillOnPath, today: date) -> tuple[str, str]:
    if drill.due is not None and drill.due.date() <= today:
        return "due", "$accent"
    if drill.due is not None:
        return f"due {day_name(drill.due.date(), today)}", "$quiet"
    return _DRILL_STATES[drill.state]
