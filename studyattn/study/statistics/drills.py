"""Drills: attempts to the first pass, time, hints, mistakes by name, which came back. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from studyattn.grouping import grouped
from studyattn.memory.state import drill_id
from studyattn.store.queries.practice import DrillEvent
from studyattn.text.counting import count
from studyattn.text.figure import Named, Row, Telling

_PASSED = "passed"
_MONTHS = 5  # columns of a table that leaves room for names


class DrillStory(NamedTuple):
    """The story of one drill, up to the first pass without its solution."""

    drill: str  # its id
    attempts: int  # up to the first pass, it included; all of them where there is none
    minutes: float  # of work up to then
    hints: int  # looked at before it
    passed: bool
    last: date


class MistakeStory(NamedTuple):
    """The story of a mistake in the learner's code: its number, and whether it came back."""

    title: str
    times: int
    last: date
    came_back: bool  # recognised again after a drill in which it had been was passed


def drill_stories(events: Iterable[DrillEvent], first: date | None = None) -> list[DrillStory]:
    """Return the story of each drill that was attempted, the latest first.

    Those without an event since `first` are left out.
    """
    by_drill = grouped((each.guid, each) for each in sorted(events, key=lambda each: each.at))
    stories = [
        _story(guid, own)
        for guid, own in by_drill.items()
        if any(each.verdict is not None for each in own) and (first is None or own[-1].day >= first)
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


def mistake_stories(events: Iterable[DrillEvent], first: date | None = None) -> list[MistakeStory]:
    """Return the mistakes that were recognised, the most frequent first.

    Those before `first` are not counted, but a later one may have come back from before.
    """
    seen: defaultdict[str, list[DrillEvent]] = defaultdict(list)
    cured: dict[str, set[str]] = defaultdict(set)  # drill → mistakes seen there, not passed since
    passed: set[str] = set()
    back: set[str] = set()
    for event in sorted(events, key=lambda each: each.at):
        if event.mistake is not None:
            if first is None or event.day >= first:
                seen[event.mistake].append(event)
                if event.mistake in passed:
                    back.add(event.mistake)
            cured[event.guid].add(event.mistake)
        elif event.verdict == _PASSED and not event.revealed:
            passed |= cured.pop(event.guid, set())
    stories = [
        MistakeStory(title, len(own), own[-1].day, title in back) for title, own in seen.items()
    ]
    return sorted(stories, key=lambda each: (-each.times, each.title))


def passes(events: Iterable[DrillEvent], first: date | None = None) -> Telling:
    """Attempts, minutes and hints of each drill up to its first pass."""
    stories = drill_stories(events, first)
    yield [(e.drill, e.attempts, round(e.minutes, 1), e.hints, e.passed) for e in stories]
    passed = [each for each in stories if each.passed]
    unsolved = [each.drill for each in stories if not each.passed]
    at_once = sum(each.attempts == 1 for each in passed)
    following = f"; {unsolved[0]} is next in line." if unsolved else "."
    return f"{len(passed)} of {count(len(stories), 'drill')} passed, {at_once} at once{following}"


def mistakes(events: Iterable[DrillEvent], first: date | None, today: date) -> Telling:
    """Mistakes by name: how often, how long ago, and whether they came back."""
    stories = mistake_stories(events, first)
    yield [(e.title, e.times, (today - e.last).days, e.came_back) for e in stories]
    back = [each for each in stories if each.came_back]
    if back:
        return f"“{_unended(back[0].title)}” came back after you had passed. Review its cards."
    return f"The most frequent is “{_unended(stories[0].title)}”; none came back after a pass."


def mistakes_over_time(events: Iterable[DrillEvent], first: date | None = None) -> Telling:
    """Each mistake's times in each of the last months that have attempts, the most frequent first.

    Those before `first` are not counted.
    """
    shown = [each for each in events if first is None or each.day >= first]
    months = sorted({f"{each.day:%Y-%m}" for each in shown if each.verdict is not None})[-_MONTHS:]
    times: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in shown:
        month = f"{each.day:%Y-%m}"
        if each.mistake is not None and month in months:
            times[each.mistake][month] += 1
    names = sorted(times, key=lambda title: (-times[title].total(), title))
    rows: list[Row] = [(title, *map(times[title].__getitem__, months)) for title in names]
    yield Named(", ".join(months), rows)
    return _latest(names, times, months[-1])


def _latest(names: Sequence[str], times: Mapping[str, Counter[str]], month: str) -> str:
    """Tell of the mistakes of the last month."""
    latest = [title for title in names if times[title][month]]
    if not latest:
        return f"No known mistakes in {month}: the earlier ones have not come back."
    most = max(latest, key=lambda title: times[title][month])
    kinds = count(len(latest), "known mistake")
    return f"Your code had {kinds} in {month}; the most frequent is “{_unended(most)}”."


def _unended(title: str) -> str:
    """A title within a sentence: without its full stop."""
    return title.removesuffix(".")
