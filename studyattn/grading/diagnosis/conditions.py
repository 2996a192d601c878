"""The condition that the wrongly answered questions share and the others lack.

Only what was asked is told, with its counts. Conditions that the drill declares are named as its
author named them. A size is told only where it alone makes the difference: a question of the other
kind is asked again with it.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from studyattn.errors import DrillError
from studyattn.grading.call_plan import Raised
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.drawn_case import SMALL_CASE, DrawnCase, draw_case
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, plainness


def condition_of(
    drill: Drill, judged: Sequence[JudgedCase], is_meant: Callable[[JudgedCase], bool], ask: Ask
) -> str | None:
    """Return the condition under which exactly those that are meant were asked, in plain words.

    It ends with how often it was asked so, and what came of the others. None when there is no such
    condition, or these are all that was asked.
    """
    places = {place for place, entry in enumerate(judged) if is_meant(entry)}
    rest = [*itertools.filterfalse(is_meant, judged)]
    if not places or not rest:
        return None
    otherwise = f"{_outcome(rest)} otherwise, {_times(len(rest))}"
    for words, where, size in _conditions(drill, [entry.question for entry in judged]):
        if where == places and (not size or _is_cause(drill, judged, is_meant, ask, size)):
            return f"{words}, {_times(len(places))}, and {otherwise}"
    return None


def _outcome(rest: Sequence[JudgedCase]) -> str:
    """Return what came of all of these in a word."""
    if all(isinstance(entry.outcome, Raised) for entry in rest):
        return "raises"
    return "not" if any(entry.wrong for entry in rest) else "right"


def _times(count: int) -> str:
    return "the one time that this occurred" if count == 1 else f"{count} times of {count}"


def _is_cause(
    drill: Drill,
    judged: Sequence[JudgedCase],
    is_meant: Callable[[JudgedCase], bool],
    ask: Ask,
    size: tuple[str, int],
) -> bool:
    """Return whether the plainest of those that are not meant is of the others with this size."""
    case = min(itertools.filterfalse(is_meant, judged), key=plainness).question.case
    try:
        changed = dataclasses.replace(case, sizes={**case.sizes, size[0]: size[1]})
        return all(map(is_meant, ask([draw_case(drill, changed, (1,))])))
    except DrillError:
        return False


_Condition = tuple[str, AbstractSet[int], tuple[str, int] | None]
"""It in words, the questions for which it holds, and a size for which it does."""


def _conditions(drill: Drill, questions: Sequence[DrawnCase]) -> Iterator[_Condition]:
    """Yield the conditions that hold for some of the questions, the plainest first.

    A case's name joins those that its drill declares.
    """
    declared: dict[str, set[int]] = {}
    sized: dict[str, dict[int, int]] = {}
    for place, question in enumerate(questions):
        for words in question.case.name.split(", "):
            declared.setdefault(words, set()).add(place)
        for name, size in known_sizes(drill, question).items():
            sized.setdefault(name, {})[place] = size
    declared.pop(SMALL_CASE, None)
    yield from ((f"under “{words}”", places, None) for words, places in declared.items())
    for name, sizes in sized.items():
        yield from _thresholds(name, drill.told_as.get(name, name), sizes)


def _thresholds(name: str, told: str, sizes: Mapping[int, int]) -> Iterator[_Condition]:
    """Yield the conditions of being at most and at least as large as one of the `sizes`."""
    for below, above in itertools.pairwise(sorted(set(sizes.values()))):
        lower = {place for place, size in sizes.items() if size < above}
        alone = all(sizes[place] == below for place in lower)
        yield f"where {told} is {below}{'' if alone else ' or less'}", lower, (name, below)
        yield f"where {told} is {above} or more", sizes.keys() - lower, (name, above)


def known_sizes(drill: Drill, question: DrawnCase) -> dict[str, int]:
    """Return the sizes of a question that the brief has a name for."""
    return {
        name: size
        for name, size in question.case.sizes.items()
        if drill.told_as.get(name, name) and isinstance(size, int) and not isinstance(size, bool)
    }
