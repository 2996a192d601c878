"""The smallest question that shows what is wrong, written out for a person.

The small questions are part of every run, so that in most attempts nothing more has to be asked.
Only when all of them were answered right are they asked again under the conditions of cases that
failed. A question fits in the hand when no array has more than 3 × 3 numbers, all of them whole or
with one decimal.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.errors import DrillError
from studyattn.grading.call_plan import Argument, ArrayInput, Call, Layout, Raised, Register
from studyattn.grading.compare import Comparison, Fault, agree, wrong_entries
from studyattn.grading.drawn_case import SMALL_CASE, DrawnCase, draw_case, with_numbers
from studyattn.grading.drill import Case, Drill, arguments
from studyattn.grading.judged_case import JudgedCase, oddity, plainness
from studyattn.grading.verdict import Counterexample

IN_THE_HAND = 9
"""Numbers of one array that can be looked at together: 3 × 3."""

FEWEST = 1e-9
"""The largest distance from one decimal at which a number is written with one."""

LIKE = 4
"""Cases that failed under whose conditions small questions are asked."""

CUT = 10
"""Cases at small sizes that are asked at most to find a counterexample."""

DRAWS = 3
"""Draws of each small question in whole numbers."""

LARGE = 100.0
"""The size from which on a number is large, as overflow needs it."""

ROUND = ((1000.0, 0.0), (-1000.0, 0.0), (-1000.0, -1000.0), (1000.0, 1001.0))
"""Large numbers in round form, first and others: e^1000 is beyond float64, and e^-1000 is 0."""

OF_NUMBERS = (Fault.VALUES, Fault.NOT_FINITE)

DIGITS = 4
"""Significant digits that are shown, or more where it takes more to see a difference."""

MOST_DIGITS = 17
"""Significant digits that tell any two float64 numbers apart."""


def find(drill: Drill, answers: Sequence[JudgedCase]) -> JudgedCase | None:
    """Return the question answered wrongly that is easiest to look at."""
    wrong = [
        entry
        for entry in answers
        if entry.wrong and not entry.question.case.costed and _shows_something(entry)
    ]
    return min(wrong, key=functools.partial(_effort, drill), default=None)


def _shows_something(answered: JudgedCase) -> bool:
    """Return whether a number is wrong, or the form: not where both answers are NaN."""
    part = shown_part(answered)
    return part is None or part.fault is not Fault.NOT_FINITE or bool(_wrong(part).any())


def _wrong(part: Comparison) -> NDArray[np.bool_]:
    """Return which entries of an answer of the right shape are wrong, or whether a number is."""
    if isinstance(part.values, np.ndarray):
        return wrong_entries(part.values, part.leaf)
    return np.asarray(not agree(part.values, part.leaf.values, part.leaf.tolerance))


def fits_in_the_hand(question: DrawnCase) -> bool:
    """Return whether its arrays are at most 3 × 3 numbers, whole or with one decimal."""
    return all(
        array.values.size <= IN_THE_HAND and _in_short_numbers(array.values)
        for array in _arrays(question)
    )


def is_easy(question: DrawnCase) -> bool:
    """Return whether it is a small question that fits in the hand, so that none easier is asked.

    Of other cases, one in bfloat16 may fit: its large numbers are whole.
    """
    return question.case.name == SMALL_CASE and fits_in_the_hand(question)


def simpler(drill: Drill, answers: Sequence[JudgedCase], seed: int) -> tuple[DrawnCase, ...]:
    """Return easier questions under the conditions of cases that were answered wrongly.

    Last come the easiest of these cases with their numbers rounded: where size is what matters,
    no small question shows it.
    """
    wrong = [entry for entry in answers if entry.wrong and not entry.question.case.costed]
    about_values = [entry for entry in wrong if _kind(entry) == min(map(_kind, wrong))]
    like = sorted(about_values, key=plainness)[:LIKE]
    cases = [dataclasses.replace(each.question.case, name=SMALL_CASE, whole=True) for each in like]
    small = list(_small_questions(drill, cases, seed))
    easiest = min(about_values, key=functools.partial(_effort, drill)).question
    for change in (np.round, _patterned):
        with contextlib.suppress(DrillError):
            small.append(with_numbers(drill, easiest, change))
    return tuple(small)


def _small_questions(drill: Drill, like: Sequence[Case], seed: int) -> Iterator[DrawnCase]:
    """Yield the cases `like` at small sizes, the smallest of each before the next of any.

    Each is asked in round numbers if its own are large, in whole ones, in tenths, in few digits.
    What cannot be asked is left out: a mask of some form may not fit such sizes, which the drill
    says by raising.
    """
    usual = Case("")
    sizes = zip_longest(*(_small_sizes(drill, case) for case in like))
    cases = [
        dataclasses.replace(case, sizes=cut)
        for of_each in sizes
        for case, cut in zip(like, of_each, strict=True)
        if cut is not None
    ]
    for position, case in enumerate(cases[:CUT]):
        with contextlib.suppress(DrillError):
            plain = dataclasses.replace(case, dtype=usual.dtype, layout=usual.layout, forms={})
            yield from _round_questions(drill, draw_case(drill, plain, (seed, 1 << 20, position)))
            for draw in range(DRAWS):
                whole = draw_case(drill, case, (seed, 1 << 20, position, draw))
                yield whole if fits_in_the_hand(whole) else with_numbers(drill, whole, _in_tenths)
            fractions = dataclasses.replace(case, whole=False)
            drawn = draw_case(drill, fractions, (seed, 1 << 20, position))
            yield with_numbers(drill, drawn, _in_tenths)
            if not fits_in_the_hand(whole):
                yield with_numbers(drill, drawn, _in_two_digits)


def _round_questions(drill: Drill, drawn: DrawnCase) -> Iterator[DrawnCase]:
    """Yield a question of large numbers with `ROUND` ones in one array, and ones in the others.

    Scores are products of two large arrays, of which one is enough.
    """
    large = [each.values for each in _arrays(drawn) if _is_large(each.values)]
    for first, others in ROUND if large else ():

        def change(
            values: NDArray[Any], first: float = first, others: float = others
        ) -> NDArray[Any]:
            if values is large[-1]:
                entries = np.full(values.size, others)
                entries[:1] = first
                return entries.reshape(values.shape)
            return np.ones(values.shape) if _is_large(values) else values

        yield with_numbers(drill, drawn, change)


def _is_large(values: NDArray[Any]) -> bool:
    return values.dtype.kind == "f" and np.max(np.abs(values), initial=0.0) >= LARGE


def _small_sizes(drill: Drill, like: Case) -> Iterator[Mapping[str, Any]]:
    """Yield small sizes with what else the case `like` gives to `ask`; then its own, cut down."""
    seen: list[Mapping[str, Any]] = []
    for small in drill.small:
        others = {name: value for name, value in like.sizes.items() if name not in small}
        flags = {
            name: each for name, each in others.items() if isinstance(each, bool | str | float)
        }
        seen += [{**flags, **small}, {**others, **small}]
    seen[2:2] = [
        {name: _cut_down(value, most) for name, value in like.sizes.items()} for most in (1, 2, 3)
    ]
    for place, sizes in enumerate(seen):
        if sizes not in seen[:place]:
            yield sizes


def _cut_down(value: Any, most: int) -> Any:
    """Return a size, or several, of which none is more than `most`; anything else as it is."""
    if isinstance(value, tuple):
        return tuple(_cut_down(each, most) for each in value)
    is_size = isinstance(value, int) and not isinstance(value, bool)
    return min(value, most) if is_size else value


def _in_tenths(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers, or numbers with one decimal where all are small."""
    return np.round(values, 0 if np.max(np.abs(values), initial=0.0) > IN_THE_HAND else 1)


def _in_two_digits(values: NDArray[Any]) -> NDArray[Any]:
    short = [float(f"{value:.2g}") for value in values.reshape(-1).tolist()]
    return np.array(short).reshape(values.shape)


def _patterned(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers of the same shape that one line of Python makes."""
    return pattern(values.size).reshape(values.shape)


def pattern(size: int) -> NDArray[np.float64]:
    """Return `size` whole numbers from -2 to 2, none like its neighbours."""
    return (np.arange(size) * 7 % 5 - 2).astype(np.float64)


def _effort(drill: Drill, answered: JudgedCase) -> tuple[float, ...]:
    """Low for what is easy to look at: what fits in the hand, is as usual, and has few letters."""
    question = answered.question
    arrays = _arrays(question)
    fits = fits_in_the_hand(question)
    return (
        _kind(answered),
        not fits,
        oddity(question.case),
        not any(small.items() <= question.case.sizes.items() for small in drill.small),
        not all(_in_short_numbers(each.values) for each in arrays),
        sum(_letters(each.values) for each in arrays) if fits else question.elements,
    )


def _kind(answered: JudgedCase) -> int:
    """Low for wrong values, then for wrong gradients, another form, and no answer."""
    part = shown_part(answered)
    if part is None:
        return 3
    return answered.question.case.gradients if part.fault in OF_NUMBERS else 2


def _arrays(question: DrawnCase) -> list[ArrayInput]:
    return [
        argument
        for call in question.calls_of("")
        for argument in arguments(call)
        if isinstance(argument, ArrayInput)
    ]


def _in_short_numbers(values: NDArray[Any]) -> bool:
    if values.dtype.kind != "f":
        return True
    tenths = 10 * values[np.isfinite(values)]
    return bool(np.all(np.abs(tenths - np.round(tenths)) <= FEWEST * np.maximum(1, np.abs(tenths))))


def _letters(values: NDArray[Any]) -> int:
    """Return how many letters it takes to write its numbers: 1 for 0, 2 for -1, 4 for 1000."""
    return sum(len(f"{value:g}") for value in values.reshape(-1).tolist())


def write(drill: Drill, answered: JudgedCase) -> Counterexample:
    """The question as inputs by name, with expected and got side by side."""
    part = shown_part(answered)
    calls = answered.question.calls_of("" if part is None else part.leaf.register)
    inputs = _inputs(drill, calls)
    asked = _asked(answered.question.case)
    if part is None:
        expected = answered.question.expected[0]
        got = answered.outcome.told if isinstance(answered.outcome, Raised) else "nothing"
        where = name_of(drill, answered, None)
        return Counterexample(inputs, _plain(expected.values), got, where, asked=asked)
    right, wrong, digits = part.leaf.values, None, DIGITS
    if part.values is not None and np.shape(part.values) == np.shape(right):
        entries = _wrong(part)
        if not entries.any():  # only its form is wrong
            name = name_of(drill, answered, part)
            return Counterexample(inputs, _plain(right), part.message, name, asked=asked)
        if isinstance(right, np.ndarray):
            wrong, digits = entries.tolist(), digits_apart(part.values[entries], right[entries])
    return Counterexample(
        inputs,
        _plain(right, digits),
        part.message if part.values is None else _plain(part.values, digits),
        _where(drill, answered, part),
        wrong,
        asked,
    )


def shown_part(answered: JudgedCase) -> Comparison | None:
    """Return the first wrong part, one whose values are wrong before one of the wrong form."""
    wrong = [part for part in answered.comparisons if part.fault]
    wrong.sort(key=lambda part: part.fault not in OF_NUMBERS)
    return wrong[0] if wrong else None


def _asked(case: Case) -> str:
    """Return in which dtype and layout the inputs are given, where that is unusual."""
    dtype = case.dtype if case.dtype != Case("").dtype else ""
    return ", ".join(filter(None, (dtype, LAYOUTS.get(case.layout, ""))))


LAYOUTS = {
    Layout.TRANSPOSED: "transposed in memory",
    Layout.STRIDED: "strided in memory",
    Layout.PERMUTED: "permuted in memory",
    Layout.EXPANDED: "expanded along the first axis",
    Layout.READ_ONLY: "read-only",
}
"""The words for each unusual memory layout of an array."""


def _inputs(drill: Drill, calls: Sequence[Call]) -> dict[str, Any]:
    """Arguments by the reference's names; where there are several calls, by call."""
    inputs: dict[str, Any] = {}
    for call in calls:
        is_unnamed = call.into.startswith("_")
        title = call.function if is_unnamed else call.into
        prefix = f"{title}: " if len(calls) > 1 else ""
        for name, argument in drill.named_arguments(call):
            inputs[prefix + name] = _shown(argument, calls)
        if not call.args and not call.kwargs:
            inputs[title] = "()"
    return inputs


def _shown(argument: Argument, calls: Sequence[Call]) -> Any:
    """Return a number as it is, an array as lists, and what an earlier call returned in words."""
    match argument:
        case ArrayInput():
            return _plain(argument.values)
        case Register(name, index):
            made = next(call.function for call in calls if call.into == name)
            part = "what" if index is None else f"part {index + 1} of what"
            return f"{part} {made} returned"
        case _:
            return argument


def digits_apart(got: NDArray[Any], expected: NDArray[Any]) -> int:
    """Return the fewest significant digits, DIGITS at least, in which every pair differs."""
    pairs = list(zip(got.tolist(), expected.tolist(), strict=True))
    for digits in range(DIGITS, MOST_DIGITS):
        if all(f"{one:.{digits}g}" != f"{other:.{digits}g}" for one, other in pairs):
            return digits
    return MOST_DIGITS


def _plain(values: Any, digits: int = DIGITS) -> Any:
    """Nested lists of numbers, rounded to so many significant digits."""
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype.kind != "f":
        return values.tolist()
    rounded = [float(f"{value:.{digits}g}") + 0.0 for value in values.reshape(-1).tolist()]
    return np.array(rounded).reshape(values.shape).tolist()


def _where(drill: Drill, answered: JudgedCase, part: Comparison) -> str:
    """`k, token 1 of 2`: the part's name and the first wrong row of it."""
    places = [name_of(drill, answered, part)]
    values = part.values
    if isinstance(values, np.ndarray) and values.shape == part.leaf.values.shape and values.ndim:
        wrong = np.argwhere(wrong_entries(values, part.leaf))
        if len(wrong):
            places += _row(drill, part, wrong[0].tolist())
    if part.fault not in OF_NUMBERS:
        places.append(part.message)
    return ", ".join(place for place in places if place)


def _row(drill: Drill, part: Comparison, index: Sequence[int]) -> list[str]:
    shape = part.leaf.values.shape
    names = drill.axes[-len(shape) :]
    names = ("batch",) * (len(shape) - len(names)) + tuple(names)
    rows = list(zip(names, index, shape, strict=True))
    if len(rows) > 1:
        rows = rows[:-1]  # an entry of the last axis is seen, not named
    told = [row for row in rows if row[2] > 1] or rows[-1:]
    return [f"{name} {place + 1} of {extent}" for name, place, extent in told]


def name_of(drill: Drill, answered: JudgedCase, part: Comparison | None) -> str:
    """Name the one of several answers that is meant."""
    if part is None:
        return ""
    names = []
    several = len({leaf.register for leaf in answered.question.expected}) > 1
    if several:
        names.append(part.leaf.register)
    if part.leaf.part is not None and part.leaf.part < len(drill.parts):
        names.append(drill.parts[part.leaf.part])
    return ", ".join(names)
