"""Find the inputs that an answer depends on: change one number of them, and nothing else.

A number that changes the right answer but not this one is not used by the code; one that changes
this answer but not the right one is used though it should not be. Both are facts, however the code
is written.
"""

from __future__ import annotations

import contextlib
import dataclasses
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
from studyattn.grading.judged_case import JudgedCase, fingerprint, plainness

QUESTIONS = 2
"""Wrong answers that this is tried on."""

CHANGED = 48
"""Numbers of one question that are changed, each alone."""

ALL = ((), None)
"""In the place of an index: all numbers are changed, to larger ones or to others altogether."""

STEP = 0.5
"""The size of a change, for 1 and for each 1 of a number."""

STEPS = (STEP, -1e3, 1e3)
DRAWS = 6
"""Sizes and drawings of other numbers with which an effect has to be the same to be told."""

TRIED = 6
"""Effects of a question that are tried on other numbers."""

NOWHERE = np.zeros((), np.bool_)

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
    and `extra` in those that change and should not. `place` is that of the change among all.
    """

    place: int
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
    effects: list[tuple[DrawnCase, list[_Effect]]] = []
    for each in asked:
        with contextlib.suppress(DrillError):
            question = _usual(drill, each.question)
            changes = list(_changes(drill, question))
            ones = [place for place, change in enumerate(changes) if change[2] not in ALL]
            chosen = sorted(np.random.default_rng(0).permutation(ones)[:CHANGED])
            chosen += [place for place, change in enumerate(changes) if change[2] in ALL]
            effects.append((question, _effects(drill, [question], [STEP], chosen, ask_again)))
    inputs: dict[str, list[_Effect]] = {}
    for effect in (each for _, of_one in effects for each in of_one):
        inputs.setdefault(effect.input, []).append(effect)
    unseen = [
        name
        for name, of_input in inputs.items()
        if all(each.unseen.all() for each in of_input)
        and any(each.missing.any() for each in of_input)
    ]
    if unseen:
        where = f"tried on {sum(bool(each) for _, each in effects)} of the wrong answers"
        return f"Changes of {' or '.join(unseen)} do not change the result ({where})."
    return next(filter(None, (_first(drill, *each, ask_again) for each in effects)), None)


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


def _usual(drill: Drill, wrong: DrawnCase) -> DrawnCase:
    """Return the question in usual numbers, without what makes some of them larger."""
    usual = {name for sizes in drill.small for name in sizes}
    sizes = {
        name: size
        for name, size in wrong.case.sizes.items()
        if name in usual or not isinstance(size, float)
    }
    case = dataclasses.replace(wrong.case, spread=1.0, whole=False, forms={}, sizes=sizes)
    return draw_case(drill, case, (1 << 22,))


def _with_numbers_of(drill: Drill, other: DrawnCase, question: DrawnCase) -> DrawnCase:
    """Return the question with the numbers of another one, as far as shapes are the same."""
    arrays = zip(question.program.arrays(), other.program.arrays(), strict=False)
    both = [(one.values, its.values) for one, its in arrays if one.values.shape == its.values.shape]
    fresh = {id(one): its for one, its in both}
    return with_numbers(drill, question, lambda values: fresh.get(id(values), values))


def _effects(
    drill: Drill,
    questions: Sequence[DrawnCase],
    steps: Sequence[float],
    places: Sequence[int],
    ask_again: Ask,
) -> list[_Effect]:
    """Return the effects that these changes by each step have, with the numbers of each question.

    None where an answer is right, or depends on more than what is asked.
    """
    asked: list[DrawnCase] = []
    made: list[tuple[int, int, tuple[str, str, tuple[int, ...] | None, NDArray[Any]]]] = []
    for question in questions:
        changes = list(_changes(drill, question))
        asked += [question, question]
        for place, step in ((place, step) for place in places for step in steps):
            made.append((len(asked), place, changes[place]))
            asked.append(_changed(drill, question, step, *changes[place][2:]))
    answers = ask_again(asked)
    per = 2 + len(places) * len(steps)
    bases = answers[::per]
    if not all(map(_is_compared, bases)) or any(
        fingerprint(one) != fingerprint(again)
        for one, again in zip(bases, answers[1::per], strict=True)
    ):
        return []
    has_one = any(1 in each.values.shape[-2:] for each in questions[0].program.arrays())
    effects: list[_Effect] = []
    for number, place, (name, of, index, array) in made:
        base, answered = answers[number // per * per], answers[number]
        for before, after in zip(base.comparisons, answered.comparisons, strict=False):
            got, right = (before.values, after.values), (before.leaf.values, after.leaf.values)
            unseen = missing = extra = NOWHERE
            # A change of a number may change the shape of an answer, such as how many are kept.
            if after.max_error is not None and len(set(map(np.shape, got + right))) == 1:
                least = CLEARLY * after.leaf.tolerance
                one = index not in ALL
                unseen = _is_same(*got, ROUNDING)
                missing = one & unseen & ~_is_same(*right, SEEN, least)
                extra = one & _is_same(*right, EXACT) & ~_is_same(*got, SEEN, least)
            part = name_of(drill, answered, after) or "the result"
            entry = ", ".join(map(str, index or ()))
            change = f"`{name}` has the shape {array.shape}: a change of `{name}[{entry}]`"
            if extra.any() or not has_one:
                effect = _Effect(place, f"`{name}`{of}", change + of, part, unseen, missing, extra)
                effects.append(effect)
    return effects


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
    """Yield each number of the inputs that are given for one argument alone, and all together."""
    times = Counter(id(each.values) for each in question.program.arrays())
    for call in question.calls:
        of = "" if len(question.calls) == 1 else f" of {call.into.strip('_')}"
        for name, given in named_arguments(drill, question, call):
            if not isinstance(given, ArrayInput) or given.dtype not in FLOATS:
                continue
            if times[id(given.values)] < 2:
                for index in (*np.ndindex(given.values.shape), *ALL):
                    yield name, of, index, given.values


def _changed(
    drill: Drill,
    question: DrawnCase,
    step: float,
    index: tuple[int, ...] | None,
    array: NDArray[Any],
) -> DrawnCase:
    """Return the question with this number of an array larger by a step, and as often by itself.

    Without an index, the array is turned around and has the other sign.
    """

    def change(values: NDArray[Any]) -> NDArray[Any]:
        changed = values.astype(np.float64)
        if values is array and index is None:
            changed = -np.flip(changed)
        elif values is array:
            changed[index] += step * (1 + abs(changed[index]))
        return changed

    return with_numbers(drill, question, change)


def _first(
    drill: Drill, question: DrawnCase, effects: Sequence[_Effect], ask_again: Ask
) -> str | None:
    """Describe the first of the effects that should not be, or of missing ones if more are.

    It has to be there whatever the numbers are, if masks and sizes are these.
    """
    extra = [each for each in effects if each.extra.any()]
    missing = [each for each in effects if each.missing.any()]
    found, kind, does, right = extra, "extra", "changes", "should not"
    if len(missing) > len(extra):
        found, kind, does, right = missing, "missing", "does not change", "should"
    with contextlib.suppress(DrillError):
        others = [draw_case(drill, question.case, (1 << 22, n)) for n in range(DRAWS)]
        drawn = [_with_numbers_of(drill, other, question) for other in others]
        for effect in found[:TRIED]:
            where = getattr(effect, kind)
            again = _effects(drill, drawn, STEPS, [effect.place], ask_again)
            of_part = [getattr(each, kind) for each in again if each.part == effect.part]
            if len(of_part) == DRAWS * len(STEPS) and all(e.shape == where.shape for e in of_part):
                where = np.logical_and.reduce([where, *of_part])
                if where.any():
                    entry = ", ".join(map(str, np.argwhere(where)[0]))
                    part = f"entry [{entry}] of {effect.part}" if entry else effect.part
                    return (
                        f"In one wrong answer, where {effect.change} alone {does} {part},"
                        f" and {right}."
                    )
    return None
