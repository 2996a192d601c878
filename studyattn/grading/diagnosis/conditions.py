"""The condition that the wrongly answered questions share and the others lack.

Only what was asked is told, with its counts. Conditions that the drill declares are named as its
author named them. A size is told only where it alone makes the difference: two questions, one of
each kind, are asked again with this size of the other.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from studyattn.errors import DrillError
from studyattn.grading.diagnosis.kept_state import Ask
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
    rest = [entry for place, entry in enumerate(judged) if place not in places]
    if not places or not rest:
        return None
    otherwise = "not" if any(entry.wrong for entry in rest) else "right"
    counts = f"{_times(len(places))}, and {otherwise} otherwise, {_times(len(rest))}"
    for words, where, size in _conditions(drill, [entry.question for entry in judged]):
        if where == places and (not size or _is_cause(drill, judged, is_meant, ask, size)):
            return f"{words}, {counts}"
    return None


def _times(count: int) -> str:
    return "the one time that this occurred" if count == 1 else f"{count} times of {count}"


def _is_cause(
    drill: Drill,
    judged: Sequence[JudgedCase],
    is_meant: Callable[[JudgedCase], bool],
    ask: Ask,
    size: str,
) -> bool:
    """Return whether the plainest of each kind becomes of the other kind with that one's `size`."""
    of_kind = {is_meant(entry): entry for entry in sorted(judged, key=plainness, reverse=True)}
    cases = [of_kind[kind].question.case for kind in (True, False)]
    exchanged = [
        dataclasses.replace(case, sizes={**case.sizes, size: other.sizes[size]})
        for case, other in itertools.permutations(cases)
    ]
    try:
        questions = [draw_case(drill, case, (1, at)) for at, case in enumerate(exchanged)]
    except (DrillError, LookupError):
        return False
    return [is_meant(entry) for entry in ask(questions)] == [False, True]


def _conditions(
    drill: Drill, questions: Sequence[DrawnCase]
) -> Iterator[tuple[str, AbstractSet[int], str]]:
    """Yield conditions in words, with the questions that each holds for; the plainest first.

    A case's name joins those that its drill declares; a size has thresholds, and is named last.
    """
    declared: dict[str, set[int]] = {}
    sized: dict[str, dict[int, int]] = {}
    for place, question in enumerate(questions):
        for words in question.case.name.split(", "):
            if words != SMALL_CASE:
                declared.setdefault(words, set()).add(place)
        for name, size in known_sizes(drill, question).items():
            sized.setdefault(name, {})[place] = size
    yield from ((f"under “{words}”", places, "") for words, places in declared.items())
    for name, sizes in sized.items():
        told = drill.told_as.get(name, name)
        for below, above in itertools.pairwise(sorted(set(sizes.values()))):
            lower = {place for place, size in sizes.items() if size < above}
            alone = all(sizes[place] == below for place in lower)
            yield f"where {told} is {below}{'' if alone else ' or less'}", lower, name
            yield f"where {told} is {above} or more", sizes.keys() - lower, name


def known_sizes(drill: Drill, question: DrawnCase) -> dict[str, int]:
    """Return the sizes of a question that the brief has a name for."""
    return {
        name: size
        for name, size in question.case.sizes.items()
        if drill.told_as.get(name, name) and isinstance(size, int) and not isinstance(size, bool)
    }
