"""What can be seen of wrong answers where no mistake of the drill explains them.

Each sentence is a fact: it holds for all wrong answers of the attempt, or says for which. They come
in the order of their worth: first the form of the answers, then how their numbers differ from the
right ones, then where and under which conditions they do.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import Argument, ArrayInput, Raised
from studyattn.grading.compare import Comparison, Fault, distance, wrong_entries
from studyattn.grading.diagnosis.conditions import condition_of
from studyattn.grading.diagnosis.nearest import nearest
from studyattn.grading.drawn_case import AGAIN
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Diagnosis, Observation

Array = NDArray[Any]

SHOWN = 2
"""Facts that a learner is shown at most, without the nearest mistake."""

SLACK = 4.0
"""Times the tolerance: what was right before a factor or an exchange is off by no more."""

EVIDENCE = 3
"""Numbers beyond those that a fact could be fitted to, for the fact to mean anything."""

_ZERO = 1e-9  # a factor this small is none

MOST_AXES = 4
"""Axes of an answer whose orders are all tried."""


def observe(
    drill: Drill, answers: Sequence[JudgedCase], diagnosis: Sequence[Diagnosis] = ()
) -> tuple[Observation, ...]:
    """Return what is seen of wrong answers that `diagnosis` does not explain, best first.

    Wrong gradients of right values are told of in any case: a diagnosis does not say which.
    """
    judged = [entry for entry in answers if entry.about_values]
    wrong = [entry for entry in judged if entry.wrong]
    if not wrong:
        gradients = _of_gradients(drill, answers)
        return () if gradients is None else (gradients,)
    if diagnosis:
        return ()
    parts = [part for entry in wrong for part in entry.comparisons if part.fault]
    found: list[Observation | None] = []
    if parts and all(entry.comparisons for entry in wrong):
        with np.errstate(all="ignore"):
            found = [
                _form(parts),
                _not_finite(wrong),
                _factor(wrong) or _factor_of_rows(parts),
                _input_returned(drill, wrong),
                _exchanged_results(drill, wrong),
                _moved(drill, parts),
                _parts(drill, judged),
                _calls(judged),
                _places(drill, parts),
            ]
    found.append(_condition(judged))
    facts = [each for each in found if each is not None][:SHOWN]
    near = nearest(drill, judged)
    return (*facts, *(() if near is None else (near,)))


def _said(kind: str, text: str) -> Observation:
    return Observation(kind, text)


# ── the form of the answers ──────────────────────────────────────────────────────────────────────


def _form(parts: Sequence[Comparison]) -> Observation | None:
    """Right numbers in another dtype or shape, or all of one wrong kind."""
    messages = _listed(part.message for part in parts)
    faults = {part.fault for part in parts}
    if faults <= {Fault.DTYPE, Fault.COARSER_DTYPE} and not any(part.off for part in parts):
        return _said("dtype", f"The values are right and their dtype is not: {messages}.")
    if faults == {Fault.SHAPE} and all(_same_numbers(part) for part in parts):
        return _said("shape", f"The numbers are right and their shape is not: {messages}.")
    if faults <= {Fault.KIND, Fault.DEVICE} and len({part.message for part in parts}) == 1:
        return _said("kind", f"Every wrong answer is of another kind: it {messages}.")
    return None


def _same_numbers(part: Comparison) -> bool:
    """The right numbers in their order, under another shape."""
    return (
        isinstance(part.values, np.ndarray)
        and part.values.size == part.leaf.values.size > 0
        and distance(part.values.reshape(part.leaf.values.shape), part.leaf.values)
        <= part.leaf.tolerance
    )


# ── how the numbers differ ───────────────────────────────────────────────────────────────────────


def _not_finite(wrong: Sequence[JudgedCase]) -> Observation | None:
    """NaN or infinity: in which answers, in which of their entries, and whether the rest is right.

    None when there are other wrong answers as well.
    """
    parts = [part for entry in wrong for part in entry.comparisons if part.fault]
    if any(part.fault is not Fault.NOT_FINITE for part in parts):
        return None
    places = [~np.isfinite(part.values) for part in parts]
    nan = any(np.isnan(part.values).any() for part in parts)
    infinite = any(np.isinf(part.values).any() for part in parts)
    what = " and ".join(name for name, seen in (("NaN", nan), ("infinity", infinite)) if seen)
    if all(place.all() for place in places):
        where = "every entry"
    elif all(place.ndim > 1 and _whole_rows(place) for place in places):
        where = "whole rows"
    else:
        where = "some entries"
    others = [wrong_entries(part.values, part.leaf) & np.isfinite(part.values) for part in parts]
    rest = ""
    if where != "every entry":
        right = not any(other.any() for other in others)
        rest = "; all other numbers are right" if right else "; others are wrong too"
    cases = _cases(wrong)
    return _said("not-finite", f"There is {what} in {where} under {cases}{rest}.")


def _whole_rows(place: Array) -> bool:
    return bool((place.all(axis=-1) == place.any(axis=-1)).all())


def _factor(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Every wrong answer is the right one times a number: one for all, or one for each."""
    faulty = [(entry, part) for entry in wrong for part in entry.comparisons if part.fault]
    factors = [(entry, _times(part)) for entry, part in faulty]
    numbers = [factor for _entry, factor in factors if factor is not None]
    if len(numbers) < len(factors) or sum(map(_size, faulty)) < len(factors) + EVIDENCE:
        return None
    if np.allclose(numbers, numbers[0], rtol=1e-3):
        words = _one_factor(numbers[0])
    else:
        words = next(
            (
                f"Every wrong answer is {name} times the right one."
                for name, of_size in _factors_of_sizes(wrong)
                if all(_close(factor, of_size(entry)) for entry, factor in factors)
            ),
            "Every wrong answer is the right one times a number of its own.",
        )
    return _said("factor", words)


def _size(faulty: tuple[JudgedCase, Comparison]) -> int:
    return int(np.size(faulty[1].leaf.values))


def _one_factor(number: float) -> str:
    if abs(number) < _ZERO:
        return "Every wrong answer is nothing but zeros."
    if math.isclose(number, -1.0, rel_tol=1e-3):
        return "Every wrong answer has the wrong sign and the right size."
    return f"Every wrong answer is {number:.4g} times the right one."


def _times(part: Comparison) -> float | None:
    """The number by which all of `part` is the right answer."""
    values, right = part.values, part.leaf.values
    if isinstance(right, int) and isinstance(values, int) and right:
        return values / right
    if not isinstance(values, np.ndarray) or part.fault is not Fault.VALUES:
        return None
    square = float(np.vdot(right, right))
    if square == 0:
        return None
    factor = float(np.vdot(right, values)) / square
    close = distance(values, factor * right) <= SLACK * part.leaf.tolerance * max(1.0, abs(factor))
    return factor if close else None


def _factors_of_sizes(
    wrong: Sequence[JudgedCase],
) -> Iterator[tuple[str, Callable[[JudgedCase], float | None]]]:
    """Powers of the sizes of a question, and of products of two of them, as words and numbers."""
    powers = {1.0: "{}", -1.0: "1/{}", 0.5: "√{}", -0.5: "1/√{}", 2.0: "{}²", -2.0: "1/{}²"}
    names = [
        name
        for name, size in wrong[0].question.case.sizes.items()
        if isinstance(size, int) and not isinstance(size, bool)
    ]
    products = [(name,) for name in names] + list(itertools.combinations(names, 2))
    for (power, words), product in itertools.product(powers.items(), products):
        term = "·".join(product)
        shown = f"({term})" if len(product) > 1 else term

        def of_size(
            entry: JudgedCase, product: tuple[str, ...] = product, power: float = power
        ) -> float | None:
            sizes = [entry.question.case.sizes.get(name) for name in product]
            if not all(isinstance(size, int) and size > 0 for size in sizes):
                return None
            return float(math.prod(size for size in sizes if size is not None) ** power)

        yield words.format(shown), of_size


def _close(factor: float | None, expected: float | None) -> bool:
    if factor is None or expected is None:
        return False
    return math.isclose(factor, expected, rel_tol=1e-3)


def _factor_of_rows(parts: Sequence[Comparison]) -> Observation | None:
    """Every row is the right one times a number of its own."""
    rows = 0
    for part in parts:
        values, right = part.values, part.leaf.values
        if part.fault is not Fault.VALUES or not isinstance(values, np.ndarray) or not values.ndim:
            return None
        if right.shape[-1] < 2:
            continue
        square = np.sum(right * right, axis=-1, keepdims=True)
        factors = np.sum(values * right, axis=-1, keepdims=True) / np.where(square, square, 1.0)
        allowed = SLACK * part.leaf.tolerance * max(1.0, float(np.max(np.abs(factors), initial=0)))
        if distance(values, factors * right) > allowed:
            return None
        rows += square.size
    if rows < EVIDENCE:
        return None
    return _said("factor", "Every row is the right one times a number of its own.")


def _input_returned(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Every wrong answer is one of the inputs as it was given."""
    shared: set[str] | None = None
    for entry in wrong:
        parts = [part for part in entry.comparisons if part.fault]
        inputs = _named_inputs(drill, entry)
        if any(not isinstance(part.values, np.ndarray) for part in parts):
            return None
        same = {
            name
            for name, argument in inputs
            if isinstance(argument, ArrayInput)
            and all(distance(part.values, argument.values) == 0 for part in parts)
        }
        shared = same if shared is None else shared & same
        if not shared:
            return None
    return _said("input", f"Every wrong answer is {min(shared or ('',))} as it was given.")


def _exchanged_results(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that some of several results are exchanged."""
    moved: dict[int, int] = {}
    for entry in wrong:
        for part in entry.comparisons:
            if part.fault is None:
                continue
            source = _right_elsewhere(part, entry.comparisons)
            if source is None or moved.setdefault(part.leaf.part or 0, source) != source:
                return None
    if set(moved) != set(moved.values()):
        return None
    names = [_part_name(drill, place) for place in sorted(moved)]
    return _said("exchanged", f"The results {_and(names)} stand in each other's places.")


def _right_elsewhere(part: Comparison, all_parts: Sequence[Comparison]) -> int | None:
    """The place in the tuple where the values of `part` would be right."""
    for other in all_parts:
        leaf = other.leaf
        if leaf.register != part.leaf.register or leaf.part is None:
            continue
        if distance(part.values, leaf.values) <= SLACK * leaf.tolerance:
            return leaf.part
    return None


def _moved(drill: Drill, parts: Sequence[Comparison]) -> Observation | None:
    """The right numbers with axes exchanged, reversed, or shifted along one."""
    if any(not isinstance(part.values, np.ndarray) for part in parts):
        return None
    shared = None
    for part in parts:
        fitting = set(_moves(part))
        shared = fitting if shared is None else shared & fitting
        if not shared:
            return None
    what, first, second = min(shared or (("", 0, 0),))
    one, other = _axis(drill, first), _axis(drill, second)
    words = {
        "exchanged": f"The numbers are right and two axes are exchanged: {one} and {other}.",
        "reversed": f"The numbers are right and stand in reverse along the axis of {one}.",
        "shifted": f"The numbers are right and are shifted by one along the axis of {one}.",
    }
    return _said("axes", words[what])


def _moves(part: Comparison) -> Iterator[tuple[str, int, int]]:
    """Describe the change of axes that turns the right answer into the given one, from the end."""
    right, values = part.leaf.values, part.values
    allowed = SLACK * part.leaf.tolerance
    axes = range(-min(right.ndim, MOST_AXES), 0)
    for first, second in itertools.combinations(axes, 2):
        if distance(values, np.swapaxes(right, first, second)) <= allowed:
            yield "exchanged", first, second
    for axis in axes:
        if right.shape[axis] < 2:
            continue
        if distance(values, np.flip(right, axis)) <= allowed:
            yield "reversed", axis, axis
        if right.shape[axis] > 2 and any(
            distance(values, np.roll(right, by, axis)) <= allowed for by in (1, -1)
        ):
            yield "shifted", axis, axis


# ── where they differ ────────────────────────────────────────────────────────────────────────────


def _parts(drill: Drill, judged: Sequence[JudgedCase]) -> Observation | None:
    """Observe that some of several results are right in every answer."""
    found = [part for entry in judged for part in entry.comparisons if part.leaf.part is not None]
    names = list(dict.fromkeys(_part_name(drill, part.leaf.part or 0) for part in found))
    wrong = {_part_name(drill, part.leaf.part or 0) for part in found if part.fault}
    right = [name for name in names if name not in wrong]
    if not wrong or not right:
        return None
    off = [name for name in names if name in wrong]
    return _said(
        "part", f"{_and(off)} {_be(off)} wrong; {_and(right)} {_be(right)} right in every case."
    )


def _calls(judged: Sequence[JudgedCase]) -> Observation | None:
    """Observe that some of several calls are always right."""
    found = [part for entry in judged for part in entry.comparisons]
    wrong = {part.leaf.register for part in found if part.fault}
    names = {part.leaf.register.removesuffix(AGAIN) for part in found}
    off = {name.removesuffix(AGAIN) for name in wrong}
    text = None
    if all(register.endswith(AGAIN) for register in wrong):
        text = "Right at first, and wrong when the same call is made again."
    elif all(name.startswith("after reset") for name in off):
        text = "Right before a reset, and wrong after it."
    elif all(name.startswith("other cache") for name in off):
        text = "Only the second of two objects is wrong."
    elif "call 1" in names - off:
        text = "The first call is always right; a later one is not."
    elif names - off and not any(name.startswith("call ") for name in names):
        ordered = sorted(off)
        text = f"Only {_and(ordered)} {_be(ordered)} wrong."
    return None if text is None else _said("calls", text)


def _places(drill: Drill, parts: Sequence[Comparison]) -> Observation | None:
    """Along one axis, only some places are ever wrong, or the first ones never."""
    if any(part.fault not in {Fault.VALUES, Fault.NOT_FINITE} for part in parts):
        return None
    if any(not isinstance(part.values, np.ndarray) for part in parts):
        return None
    named = {axis: _axis(drill, axis) for axis in range(-len(drill.axes), 0)}
    for axis, name in {**named, 0: "entry of the first axis"}.items():
        along = [_wrong_along(part, axis) for part in parts if part.values.ndim >= max(-axis, 2)]
        along = [places for places in along if len(places) > 1]
        if len(along) < len(parts) // 2 or sum(map(len, along)) < 2 * len(along) + 1:
            continue
        text = _along_axis(name, along)
        if text is not None:
            return _said("place", text)
    return None


def _along_axis(name: str, along: Sequence[Array]) -> str | None:
    """Describe where along one axis the wrong entries are, if that is alike in all answers."""
    if all(places[0] and not places[1:].any() for places in along):
        return f"Only the first {name} is wrong."
    if all(places[-1] and not places[:-1].any() for places in along):
        return f"Only the last {name} is wrong."
    starts = {int(np.argmax(places)) for places in along}
    if starts == {1}:
        return f"The first {name} is always right; the next is not."
    if len(starts) == 1 and (start := starts.pop()):
        return f"The first {start} along the axis of {name} are always right; the next is not."
    return None


def _wrong_along(part: Comparison, axis: int) -> NDArray[np.bool_]:
    wrong = np.moveaxis(wrong_entries(part.values, part.leaf), axis, 0)
    return np.asarray(wrong.reshape(len(wrong), -1).any(axis=1))


def _condition(judged: Sequence[JudgedCase]) -> Observation | None:
    """Describe what the failing cases have in common and the passing ones lack."""
    condition = condition_of(judged)
    if condition is None:
        return None
    raised = all(isinstance(entry.outcome, Raised) for entry in judged if entry.wrong)
    begin = "It raises only" if raised else "It is wrong only"
    return _said("condition", f"{begin} {condition}.")


# ── gradients ────────────────────────────────────────────────────────────────────────────────────


def _of_gradients(drill: Drill, answers: Sequence[JudgedCase]) -> Observation | None:
    """Observe which inputs have a wrong gradient where the values are right."""
    names: dict[str, bool] = {}
    for entry in answers:
        if not entry.question.case.gradients:
            continue
        differentiated = _inputs_with_gradient(drill, entry)
        for part in entry.comparisons:
            leaf = part.leaf
            if leaf.register.startswith("gradients") and leaf.part is not None:
                if leaf.part >= len(differentiated):
                    return None
                name = differentiated[leaf.part]
                names[name] = names.get(name, False) or part.fault is not None
    off = [name for name, wrong in names.items() if wrong]
    right = [name for name, wrong in names.items() if not wrong]
    if not off:
        return None
    if not right:
        return _said("gradient", "All values are right; the gradient of every input is not.")
    return _said(
        "gradient",
        f"All values are right; the gradient of {_and(off)} is not, that of {_and(right)} is.",
    )


def _inputs_with_gradient(drill: Drill, entry: JudgedCase) -> list[str]:
    """The names of the inputs whose gradients are asked for, in the order of the answer."""
    if any(call.on is not None for call in entry.question.calls):
        return ["the new tokens"]
    return [
        name
        for name, argument in _named_inputs(drill, entry)
        if isinstance(argument, ArrayInput) and argument.requires_grad
    ]


def _named_inputs(drill: Drill, entry: JudgedCase) -> list[tuple[str, Argument]]:
    """The arguments of a question's first call, by the reference's names."""
    call = entry.question.calls[0]
    names = [
        name
        for name in inspect.signature(drill.reference[call.function]).parameters
        if name != "steps"
    ]
    return [*zip(names, call.args, strict=False), *call.kwargs.items()]


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def _listed(messages: Iterator[str] | Sequence[str]) -> str:
    """Different messages once, at most two of them."""
    different = list(dict.fromkeys(messages))
    return "; ".join(different[:2])


def _cases(entries: Sequence[JudgedCase]) -> str:
    names = list(dict.fromkeys(entry.question.case.name for entry in entries))
    shown = _and([f"“{name}”" for name in names[:3]])
    return shown if len(names) <= 3 else f"{len(names)} conditions"


def _part_name(drill: Drill, place: int) -> str:
    return drill.parts[place] if place < len(drill.parts) else f"result {place + 1}"


def _axis(drill: Drill, axis: int) -> str:
    names = ("batch entry", *drill.axes)
    name = names[axis] if -axis <= len(names) else names[0]
    return {"batch": "batch entry"}.get(name, name)


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _be(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
