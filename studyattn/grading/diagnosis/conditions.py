"""What the questions answered wrongly have in common, and those answered rightly have not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from studyattn.grading.call_plan import ArrayInput, Layout
from studyattn.grading.drawn_case import DrawnCase
from studyattn.grading.drill import FLOATS, arguments
from studyattn.grading.judged_case import JudgedCase

SEVERAL = 2
"""Wrong answers from which two conditions that meet are no coincidence."""

LAYOUTS = {
    Layout.TRANSPOSED: "with inputs that are transposed in memory",
    Layout.STRIDED: "with inputs that are strided in memory",
}

AXES = ("no axis", "one axis", "two axes", "three axes", "four axes", "five axes")


def condition_of(judged: Sequence[JudgedCase]) -> str | None:
    """The condition, or two of them, under which exactly the wrong answers were asked; in words.

    None when there is none, or nothing is right.
    """
    wrong = frozenset(place for place, entry in enumerate(judged) if entry.wrong)
    if not wrong or len(wrong) == len(judged):
        return None
    conditions = _conditions([entry.question for entry in judged])
    for words, places in conditions.items():
        if places == wrong:
            return words
    if len(wrong) < SEVERAL:
        return None
    containing = [each for each in conditions.items() if wrong < each[1]]
    for (one, first), (other, second) in itertools.combinations(containing, 2):
        if first & second == wrong:
            return f"where two conditions meet: {one}, and {other}"
    return None


def _conditions(questions: Sequence[DrawnCase]) -> dict[str, frozenset[int]]:
    """Every condition in words, with the questions that it holds for; the plainest first."""
    found: dict[str, set[int]] = {}
    for place, question in enumerate(questions):
        for words in _plain(question):
            found.setdefault(words, set()).add(place)
    conditions = {words: frozenset(places) for words, places in found.items()}
    for name in _size_names(questions):
        conditions.update(_about_size(questions, name))
    return conditions


def _plain(question: DrawnCase) -> Iterator[str]:
    """Yield the conditions that hold for one case by itself."""
    case, calls = question.case, question.calls
    given = [argument for call in calls for argument in arguments(call)]
    arrays = [each for each in given if isinstance(each, ArrayInput)]
    floats = [each for each in arrays if each.dtype in FLOATS]
    masks = [each for each in arrays if each.dtype == "bool"]
    yield f"with {case.dtype} inputs"
    if case.layout in LAYOUTS:
        yield LAYOUTS[case.layout]
    if case.twice:
        yield "where the same call is made twice"
    if any(call.kwargs for call in calls):
        yield "where an argument is given by its name"
    yield "with a mask" if masks else "without a mask"
    if any(not mask.values.any(axis=-1).all() for mask in masks if mask.values.ndim):
        yield "where a row of the mask hides everything"
    if any(mask.values.all() for mask in masks):
        yield "where the mask hides nothing"
    if floats:
        axes = max(floats[0].values.ndim - 2, 0)
        yield f"with {AXES[min(axes, len(AXES) - 1)]} in front of the last two"
        largest = max(float(np.max(np.abs(each.values), initial=0.0)) for each in floats)
        yield "with numbers above 50" if largest > 50 else "with numbers up to 50"
    yield from _relations(question)
    if any(call.function == "reset" for call in calls):
        yield "after a reset"
    if sum(call.on is None for call in calls) > 1:
        yield "with two objects at once"


def _relations(question: DrawnCase) -> Iterator[str]:
    """Yield the comparisons of sizes within one case."""
    sizes = _sizes(question)
    for (one, first), (other, second) in itertools.combinations(sizes.items(), 2):
        sign = "=" if first == second else "<" if first < second else ">"
        yield f"where {one} {sign} {other}"
        if sign != "=":
            yield f"where {one} ≠ {other}"
        if second > 1 and {other} & {"block", "h", "h_kv"}:
            yield f"where {one} is {'' if first % second == 0 else 'no '}multiple of {other}"


def _sizes(question: DrawnCase) -> dict[str, int]:
    return {
        name: size
        for name, size in question.case.sizes.items()
        if isinstance(size, int) and not isinstance(size, bool)
    }


def _size_names(questions: Sequence[DrawnCase]) -> list[str]:
    return list(dict.fromkeys(name for question in questions for name in _sizes(question)))


def _about_size(questions: Sequence[DrawnCase], name: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the thresholds of one size: from a value on, up to a value, at a single value."""
    sized = {
        place: _sizes(each)[name] for place, each in enumerate(questions) if name in _sizes(each)
    }
    values = sorted(set(sized.values()))
    if 1 in values:
        yield f"where {name} is 1", _where(sized, (1).__eq__)
    for below, above in itertools.pairwise(values):
        yield (
            f"where {name} is {above} or more, and not where it is {below}",
            _where(sized, above.__le__),
        )
        yield (
            f"where {name} is {below} or less, and not where it is {above}",
            _where(sized, below.__ge__),
        )


def _where(sized: Mapping[int, int], holds: Callable[[int], bool]) -> frozenset[int]:
    return frozenset(place for place, size in sized.items() if holds(size))
