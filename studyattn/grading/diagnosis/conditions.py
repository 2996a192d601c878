"""Conditions that the wrongly answered questions share and the others lack.

Only what was asked is told, with its counts: how an answer to another question would be, nobody has
tried. Conditions that the drill declares are named as its author named them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from studyattn.grading.drawn_case import SMALL_CASE, DrawnCase
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase

SEVERAL = 2
"""Wrong answers from which two sizes that compare so, or two conditions, are no coincidence."""


def condition_of(
    drill: Drill, judged: Sequence[JudgedCase], places: AbstractSet[int]
) -> str | None:
    """Return the condition, or two, under which exactly these `places` were asked; in words.

    It ends with how often it was asked so, and what came of the others. None when there is no such
    condition, or these are all that was asked.
    """
    chosen = frozenset(places)
    rest = [entry for place, entry in enumerate(judged) if place not in chosen]
    if not chosen or not rest:
        return None
    words = _exactly(_conditions(drill, [entry.question for entry in judged]), chosen)
    if words is None:
        return None
    otherwise = "not" if any(entry.wrong for entry in rest) else "right"
    return f"{words}, {_times(len(chosen))}, and {otherwise} otherwise, {_times(len(rest))}"


def _times(count: int) -> str:
    return "the one time that this occurred" if count == 1 else f"{count} times of {count}"


def _exactly(conditions: Mapping[str, frozenset[int]], wrong: frozenset[int]) -> str | None:
    for words, places in conditions.items():
        if places == wrong:
            return words
    if len(wrong) < SEVERAL:
        return None
    containing = [each for each in conditions.items() if wrong < each[1]]
    for (one, first), (other, second) in itertools.combinations(containing, 2):
        if first & second == wrong:
            return f"where two conditions meet, {one} and {other}"
    return None


def _conditions(drill: Drill, questions: Sequence[DrawnCase]) -> dict[str, frozenset[int]]:
    """Every condition in words, with the questions that it holds for; the plainest first."""
    found: dict[str, set[int]] = {}
    for place, question in enumerate(questions):
        for words in _declared(question):
            found.setdefault(words, set()).add(place)
    conditions = {words: frozenset(places) for words, places in found.items()}
    sizes = [known_sizes(drill, each) for each in questions]
    for name in dict.fromkeys(name for each in sizes for name in each):
        conditions.update(_about_size(sizes, name))
    compared: dict[str, set[int]] = {}
    for place, each in enumerate(sizes):
        for words in _relations(each):
            compared.setdefault(words, set()).add(place)
    several = {words: frozenset(each) for words, each in compared.items() if len(each) >= SEVERAL}
    return {**conditions, **several}


def _declared(question: DrawnCase) -> Iterator[str]:
    """Yield the conditions that a case's name joins, as its drill declares them."""
    if question.case.name != SMALL_CASE:
        yield from (f"under “{words}”" for words in question.case.name.split(", "))


def known_sizes(drill: Drill, question: DrawnCase) -> dict[str, int]:
    """Return the sizes of a question that the brief has a name for, by that name."""
    told = {name: drill.told_as.get(name, name) for name in question.case.sizes}
    return {
        told[name]: size
        for name, size in question.case.sizes.items()
        if told[name] and isinstance(size, int) and not isinstance(size, bool)
    }


def _relations(sizes: Mapping[str, int]) -> Iterator[str]:
    """Yield the comparisons of sizes within one case."""
    for (one, first), (other, second) in itertools.combinations(sizes.items(), 2):
        sign = "=" if first == second else "<" if first < second else ">"
        yield f"where {one} {sign} {other}"
        if sign != "=":
            yield f"where {one} ≠ {other}"
        if second > 1 and {other} & {"block_size", "h", "h_kv"}:
            yield f"where {one} is {'' if first % second == 0 else 'no '}multiple of {other}"


def _about_size(
    questions: Sequence[Mapping[str, int]], name: str
) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the thresholds of one size: from a value on, up to a value, at a single value."""
    sized = {place: each[name] for place, each in enumerate(questions) if name in each}
    values = sorted(set(sized.values()))
    if 1 in values:
        yield f"where {name} is 1", _where(sized, (1).__eq__)
    for below, above in itertools.pairwise(values):
        yield f"where {name} is {above} or more", _where(sized, above.__le__)
        yield f"where {name} is {below} or less", _where(sized, below.__ge__)


def _where(sized: Mapping[int, int], holds: Callable[[int], bool]) -> frozenset[int]:
    return frozenset(place for place, size in sized.items() if holds(size))
