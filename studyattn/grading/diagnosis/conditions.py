"""The condition that the wrongly answered questions share and the others lack.

Only what was asked is told, with its counts: how an answer to another question would be, nobody has
tried. Conditions that the drill declares are named as its author named them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from studyattn.grading.drawn_case import SMALL_CASE, DrawnCase
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase


def condition_of(
    drill: Drill, judged: Sequence[JudgedCase], places: AbstractSet[int]
) -> str | None:
    """Return the condition under which exactly these `places` were asked, the plainest in words.

    It ends with how often it was asked so, and what came of the others. None when there is no such
    condition, or these are all that was asked.
    """
    rest = [entry for place, entry in enumerate(judged) if place not in places]
    conditions = _conditions(drill, [entry.question for entry in judged])
    words = next((words for words, where in conditions if where == places), None)
    if words is None or not places or not rest:
        return None
    otherwise = "not" if any(entry.wrong for entry in rest) else "right"
    return f"{words}, {_times(len(places))}, and {otherwise} otherwise, {_times(len(rest))}"


def _times(count: int) -> str:
    return "the one time that this occurred" if count == 1 else f"{count} times of {count}"


def _conditions(
    drill: Drill, questions: Sequence[DrawnCase]
) -> Iterator[tuple[str, AbstractSet[int]]]:
    """Yield conditions in words, with the questions that each holds for; the plainest first.

    A case's name joins those that its drill declares; a size has thresholds.
    """
    declared: dict[str, set[int]] = {}
    sized: dict[str, dict[int, int]] = {}
    for place, question in enumerate(questions):
        for words in question.case.name.split(", "):
            if words != SMALL_CASE:
                declared.setdefault(words, set()).add(place)
        for name, size in known_sizes(drill, question).items():
            sized.setdefault(name, {})[place] = size
    yield from ((f"under “{words}”", places) for words, places in declared.items())
    for name, sizes in sized.items():
        for below, above in itertools.pairwise(sorted(set(sizes.values()))):
            lower = {place for place, size in sizes.items() if size < above}
            alone = all(sizes[place] == below for place in lower)
            yield f"where {name} is {below}{'' if alone else ' or less'}", lower
            yield f"where {name} is {above} or more", sizes.keys() - lower


def known_sizes(drill: Drill, question: DrawnCase) -> dict[str, int]:
    """Return the sizes of a question that the brief has a name for, by that name."""
    told = {name: drill.told_as.get(name, name) for name in question.case.sizes}
    return {
        told[name]: size
        for name, size in question.case.sizes.items()
        if told[name] and isinstance(size, int) and not isinstance(size, bool)
    }
