"""Find the inputs that an answer depends on: change one number of them, and nothing else.

A number that changes the right answer but not this one is not used by the code; one that changes
this answer but not the right one is used though it should not be. Both are facts, however the code
is written.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.errors import DrillError
from studyattn.grading.call_plan import ArrayInput
from studyattn.grading.diagnosis.counterexample import name_of, named_arguments
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.domain import FLOATS
from studyattn.grading.drawn_case import DrawnCase, draw_case, with_numbers
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, plainness

QUESTIONS = 2
"""Wrong answers that this is tried on."""

CHANGED = 48
"""Numbers of one question that are changed, each alone."""

ALL = ((), None)
"""In the place of an index: all numbers are changed, to larger ones or to others altogether."""

DRAWS = 3
"""Drawings of numbers with which an effect is the same, so that it is not of these numbers."""

LARGEST = 500
"""Numbers that a question may have."""

CLEARLY = 32.0
"""Times the tolerance from which on an answer is another one."""

ROUNDING = 2e-6
"""The share of an answer in float32 that rounding may change."""

SEEN = 1e-4
"""The share of an answer from which on a change of it is seen."""

EXACT = 1e-9
"""The same of the right one, which is computed in float64."""


@dataclass(frozen=True, slots=True)
class _Effect:
    """The effect that a change of an input, of some call, has on a part of an answer.

    It is `unseen` in entries that stay as they were, `missing` in those of them that should not,
    and `extra` in those that change and should not.
    """

    input: str
    change: str
    part: str
    unseen: NDArray[np.bool_]
    missing: NDArray[np.bool_]
    extra: NDArray[np.bool_]


def influence(drill: Drill, judged: Sequence[JudgedCase], ask_again: Ask) -> str | None:
    """Say which input has no effect, or which of its numbers lacks one or has one too many.

    What was answered wrongly is drawn again in usual numbers. Where an input is zero, scores are
    very large or there is but one of something, an answer may well not depend on it. All numbers
    of an input are changed at once, too: few of them may decide, and only downward.
    """
    asked = sorted(filter(_is_suitable, judged), key=plainness)[:QUESTIONS]
    effects = [list(_effects(drill, each.question, ask_again)) for each in asked]
    inputs: dict[str, list[_Effect]] = {}
    for effect in (each for of_one in effects for each in of_one):
        inputs.setdefault(effect.input, []).append(effect)
    unseen = [
        name
        for name, of_input in inputs.items()
        if all(each.unseen.all() for each in of_input)
        and any(each.missing.any() for each in of_input)
    ]
    if unseen:
        where = f"tried on {sum(map(bool, effects))} of the wrong answers"
        return f"Changes of {' or '.join(unseen)} do not change the result ({where})."
    return next(filter(None, map(_first, effects)), None)


def _is_suitable(entry: JudgedCase) -> bool:
    """Return whether all of an answer can be compared, and its inputs are small."""
    question, case = entry.question, entry.question.case
    is_plain = case.dtype in {"float32", "float64"} and not (case.twice or entry.changed)
    return is_plain and _is_compared(entry) and question.elements <= LARGEST


def _is_compared(entry: JudgedCase) -> bool:
    """Return whether values are wrong, all of which can be compared."""
    return entry.off and all(
        part.max_error is not None and isinstance(part.values, np.ndarray)
        for part in entry.comparisons
    )


def _effects(drill: Drill, wrong: DrawnCase, ask_again: Ask) -> Iterator[_Effect]:
    """Yield the effects that changes have whatever the numbers are, if masks and sizes are these.

    What is told of one answer should not hold for its numbers alone.
    """
    case = wrong.case
    usual = {name for sizes in drill.small for name in sizes}
    sizes = {
        name: size
        for name, size in case.sizes.items()
        if name in usual or not isinstance(size, float)  # how much larger some numbers are
    }
    case = dataclasses.replace(case, spread=1.0, whole=False, forms={}, sizes=sizes)
    with contextlib.suppress(DrillError):
        first, *others = (draw_case(drill, case, (1 << 22, *range(n))) for n in range(DRAWS))
        drawn = [first, *(_with_numbers_of(drill, other, first) for other in others)]
        has_one = any(1 in each.values.shape[-2:] for each in first.program.arrays())
        for effects in zip(*(_effects_on(drill, each, ask_again) for each in drawn), strict=False):
            unseen, missing, extra = (
                functools.reduce(np.logical_and, (getattr(each, name) for each in effects))
                for name in ("unseen", "missing", "extra")
            )
            if extra.any() or not has_one:
                effect = effects[0]
                yield dataclasses.replace(effect, unseen=unseen, missing=missing, extra=extra)


def _with_numbers_of(drill: Drill, other: DrawnCase, question: DrawnCase) -> DrawnCase:
    """Return the question with the numbers of another one, as far as shapes are the same."""
    arrays = zip(question.program.arrays(), other.program.arrays(), strict=False)
    both = [(one.values, its.values) for one, its in arrays if one.values.shape == its.values.shape]
    fresh = {id(one): its for one, its in both}
    return with_numbers(drill, question, lambda values: fresh.get(id(values), values))


def _effects_on(drill: Drill, question: DrawnCase, ask_again: Ask) -> Iterator[_Effect]:
    """Yield the effects that changes have with these numbers."""
    changes = list(_changes(drill, question))
    chosen = sorted(np.random.default_rng(0).permutation(len(changes))[:CHANGED])
    wholes = {(*each[:2], all_): (*each[:2], all_, each[3]) for each in changes for all_ in ALL}
    changes = [*(changes[place] for place in chosen), *wholes.values()]
    changed = [_changed(drill, question, *each[2:]) for each in changes]
    base, *answers = ask_again([question, *changed])
    for (name, of, index, array), answered in zip(changes, answers, strict=True):
        parts = zip(base.comparisons, answered.comparisons, strict=False)
        for before, after in parts if _is_compared(base) else ():
            got, right = (before.values, after.values), (before.leaf.values, after.leaf.values)
            unseen = missing = extra = np.zeros((), np.bool_)
            # A change of a number may change the shape of an answer, such as how many are kept.
            if after.max_error is not None and len(set(map(np.shape, got + right))) == 1:
                least = CLEARLY * after.leaf.tolerance
                one = index not in ALL
                unseen = _is_same(*got, ROUNDING)
                missing = one & unseen & ~_is_same(*right, SEEN, least)
                extra = one & _is_same(*right, EXACT) & ~_is_same(*got, SEEN, least)
            part = name_of(drill, answered, after) or "the result"
            number = ", ".join(map(str, index or ()))
            change = f"`{name}` has the shape {array.shape}: a change of `{name}[{number}]`"
            yield _Effect(f"`{name}`{of}", change + of, part, unseen, missing, extra)


def _is_same(
    one: NDArray[np.float64], other: NDArray[np.float64], share: float, least: float = 0.0
) -> NDArray[np.bool_]:
    """Return which entries are the same, but for this share of them or as much as the `least`."""
    most = np.maximum(least, share * np.maximum(np.abs(one), np.abs(other)))
    same: NDArray[np.bool_] = np.abs(one - other) <= most
    return same


def _changes(
    drill: Drill, question: DrawnCase
) -> Iterator[tuple[str, str, tuple[int, ...] | None, NDArray[Any]]]:
    """Yield each number of the inputs that are given for one argument alone."""
    times = Counter(id(each.values) for each in question.program.arrays())
    for call in question.calls:
        of = "" if len(question.calls) == 1 else f" of {call.into.strip('_')}"
        for name, given in named_arguments(drill, question, call):
            if isinstance(given, ArrayInput) and given.dtype in FLOATS:
                for index in np.ndindex(
                    given.values.shape if times[id(given.values)] < 2 else (0,)
                ):
                    yield name, of, index, given.values


def _changed(
    drill: Drill, question: DrawnCase, index: tuple[int, ...] | None, array: NDArray[Any]
) -> DrawnCase:
    """Return the question with this number of an array half as large again and a half more.

    Without an index, the array is turned around and has the other sign.
    """

    def change(values: NDArray[Any]) -> NDArray[Any]:
        changed = values.astype(np.float64)
        if values is array and index is None:
            changed = -np.flip(changed)
        elif values is array:
            changed[index] += 0.5 * (1 + abs(changed[index]))
        return changed

    return with_numbers(drill, question, change)


def _first(effects: Sequence[_Effect]) -> str | None:
    """Describe the first of the effects that should not be, or of missing ones if more are."""
    extra = [(each, each.extra) for each in effects if each.extra.any()]
    missing = [(each, each.missing) for each in effects if each.missing.any()]
    found, does, right = extra, "changes", "should not"
    if len(missing) > len(extra):
        found, does, right = missing, "does not change", "should"
    for effect, places in found:
        entry = ", ".join(map(str, np.argwhere(places)[0]))
        part = f"entry [{entry}] of {effect.part}" if entry else effect.part
        return f"In one wrong answer, where {effect.change} alone {does} {part}, and {right}."
    return None
