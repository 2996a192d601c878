"""Drills: attempts to the first pass, time, hints, mistakes by name, which came back. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from studyattn.memory.state import drill_id
from studyattn.store.queries.drill_log import DrillEvent
from studyattn.text.counting import count
from studyattn.text.figure import Figure, Series, Shape, Unit

_PASSED = "passed"
_MONTHS = 5  # columns of a table that leaves room for names


@dataclass(frozen=True, slots=True)
class DrillStory:
    """How one drill went, up to the first pass without its solution."""

    drill: str  # its id
    attempts: int  # up to the first pass, it included; all of them where there is none
    minutes: float  # of work up to then
    hints: int  # looked at before it
    passed: bool
    last: date


@dataclass(frozen=True, slots=True)
class MistakeStory:
    """How often a mistake was recognised in the learner's code, and whether it came back."""

    title: str
    times: int
    first: date
    last: date
    came_back: bool  # recognised again after a drill in which it had been was passed


def drill_stories(events: Iterable[DrillEvent]) -> list[DrillStory]:
    """Return the story of each drill that was attempted, the latest first."""
    by_drill: defaultdict[str, list[DrillEvent]] = defaultdict(list)
    for event in sorted(events, key=lambda each: each.at):
        by_drill[event.guid].append(event)
    stories = [
        _story(guid, own)
        for guid, own in by_drill.items()
        if any(each.verdict is not None for each in own)
    ]
    return sorted(stories, key=lambda each: (each.last, each.drill), reverse=True)


def _story(guid: str, events: Sequence[DrillEvent]) -> DrillStory:
    attempts = hints = 0
    seconds = 0.0
    passed = False
    for event in events:
        seconds += event.seconds
        attempts += event.verdict is not None
        hints = max(hints, event.hints)
        passed = event.verdict == _PASSED and not event.revealed
        if passed:
            break
    return DrillStory(drill_id(guid), attempts, seconds / 60, hints, passed, events[-1].day)


def mistake_stories(events: Iterable[DrillEvent], since: date | None = None) -> list[MistakeStory]:
    """Return the mistakes that were recognised, the most frequent first.

    Those before `since` are not counted, but a later one may have come back from before.
    """
    seen: defaultdict[str, list[DrillEvent]] = defaultdict(list)
    cured: dict[str, set[str]] = defaultdict(set)  # drill → mistakes seen there, not passed since
    passed: set[str] = set()
    back: set[str] = set()
    for event in sorted(events, key=lambda each: each.at):
        if event.mistake is not None:
            counts = since is None or event.day >= since
            if counts:
                seen[event.mistake].append(event)
                if event.mistake in passed:
                    back.add(event.mistake)
            cured[event.guid].add(event.mistake)
        elif event.verdict == _PASSED and not event.revealed:
            passed |= cured.pop(event.guid, set())
    stories = [
        MistakeStory(title, len(own), own[0].day, own[-1].day, title in back)
        for title, own in seen.items()
    ]
    return sorted(stories, key=lambda each: (-each.times, each.title))


def drills_figure(stories: Sequence[DrillStory]) -> Figure:
    """Attempts, minutes and hints of each drill up to its first pass."""
    passed = [each for each in stories if each.passed]
    at_once = sum(each.attempts == 1 for each in passed)
    unsolved = [each.drill for each in stories if not each.passed]
    meaning = "No drill attempts in this period."
    if stories:
        meaning = f"{len(passed)} of {count(len(stories), 'drill')} passed, {at_once} at once"
        meaning += f"; {unsolved[0]} is next in line." if unsolved else "."
    return Figure(
        "drills",
        "Drills up to the first pass",
        meaning,
        tuple(each.drill for each in stories),
        (
            Series("attempts", tuple(float(each.attempts) for each in stories)),
            Series("minutes", tuple(round(each.minutes, 1) for each in stories), Unit.MINUTES),
            Series("hints", tuple(float(each.hints) for each in stories)),
            Series("passed", tuple(float(each.passed) for each in stories), Unit.FLAG),
        ),
        Shape.TABLE,
    )


def mistakes_figure(stories: Sequence[MistakeStory], today: date) -> Figure:
    """Mistakes by name: how often, how long ago, and whether they came back."""
    back = [each for each in stories if each.came_back]
    meaning = "No known mistakes in your code in this period."
    if back:
        meaning = f"“{_unended(back[0].title)}” came back after you had passed. Review its cards."
    elif stories:
        meaning = (
            f"The most frequent is “{_unended(stories[0].title)}”; none came back after a pass."
        )
    return Figure(
        "mistakes",
        "Mistakes by name",
        meaning,
        tuple(each.title for each in stories),
        (
            Series("times", tuple(float(each.times) for each in stories)),
            Series("last", tuple(float((today - e.last).days) for e in stories), Unit.DAYS),
            Series("came back", tuple(float(each.came_back) for each in stories), Unit.FLAG),
        ),
        Shape.TABLE,
    )


def mistakes_by_month(events: Iterable[DrillEvent], since: date | None = None) -> Figure:
    """Failed attempts with a mistake that was recognised, and attempts, by month."""
    attempts: Counter[str] = Counter()
    mistakes: Counter[str] = Counter()
    for event in events:
        if event.verdict is not None and (since is None or event.day >= since):
            attempts[f"{event.day:%Y-%m}"] += 1
            mistakes[f"{event.day:%Y-%m}"] += event.mistake is not None
    months = tuple(sorted(attempts))
    meaning = "No attempts in this period."
    if months:
        share = mistakes[months[-1]] / attempts[months[-1]]
        meaning = f"In {months[-1]} a known mistake was behind {share:.0%} of your attempts."
    return Figure(
        "mistakes-by-month",
        "Mistakes over time",
        meaning,
        months,
        (
            Series("attempts", _counted(attempts, months)),
            Series("mistakes", _counted(mistakes, months)),
        ),
    )


def mistakes_over_time(events: Iterable[DrillEvent], since: date | None = None) -> Figure:
    """Each mistake's times in each of the last months that have attempts, the most frequent first.

    Those before `since` are not counted.
    """
    shown = [each for each in events if since is None or each.day >= since]
    months = sorted({f"{each.day:%Y-%m}" for each in shown if each.verdict is not None})[-_MONTHS:]
    times: Counter[tuple[str, str]] = Counter()
    for event in shown:
        if event.mistake is not None and (month := f"{event.day:%Y-%m}") in months:
            times[event.mistake, month] += 1
    totals: Counter[str] = Counter()
    for (title, _), number in times.items():
        totals[title] += number
    names = tuple(sorted(totals, key=lambda title: (-totals[title], title)))
    latest = [title for title in names if times[title, months[-1]]]
    meaning = "No known mistakes in your code in this period."
    if latest:
        most = max(latest, key=lambda title: times[title, months[-1]])
        kinds = count(len(latest), "known mistake")
        meaning = f"Your code had {kinds} in {months[-1]}; the most frequent is “{_unended(most)}”."
    elif names:
        meaning = f"No known mistakes in {months[-1]}: the earlier ones have not come back."
    return Figure(
        "mistakes-over-time",
        "Mistakes by name and month",
        meaning,
        names,
        tuple(
            Series(month, tuple(float(times[title, month]) for title in names)) for month in months
        ),
        Shape.TABLE,
    )


def _unended(title: str) -> str:
    """A title within a sentence: without its full stop."""
    return title.removesuffix(".")


def _counted(counts: Mapping[str, int], labels: Iterable[str]) -> tuple[float, ...]:
    return tuple(float(counts[label]) for label in labels)
