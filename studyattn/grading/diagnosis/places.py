"""Locate wrong values: the result, the call and the places along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.compare import Comparison, Fault, wrong_entries
from studyattn.grading.diagnosis.words import axis_name, be, in_every, joined, part_name, said
from studyattn.grading.drawn_case import AGAIN
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Observation


def parts(drill: Drill, judged: Sequence[JudgedCase]) -> Observation | None:
    """Observe that some of several results are right in every answer."""
    found = [part for entry in judged for part in entry.comparisons if part.leaf.part is not None]
    names = list(dict.fromkeys(part_name(drill, part.leaf.part or 0) for part in found))
    wrong = {part_name(drill, part.leaf.part or 0) for part in found if part.fault}
    off = [name for name in names if name in wrong]
    right = [name for name in names if name not in wrong]
    if not off or not right or not all(entry.comparisons for entry in judged):
        return None
    text = f"{joined(off)} {be(off)} wrong; {joined(right)} {be(right)} right in every case."
    return said("part", text)


def calls(judged: Sequence[JudgedCase]) -> Observation | None:
    """Observe that some of several calls are always right."""
    found = [part for entry in judged for part in entry.comparisons]
    wrong = {part.leaf.register for part in found if part.fault}
    names = {part.leaf.register.removesuffix(AGAIN) for part in found}
    off = {name.removesuffix(AGAIN) for name in wrong}
    text = None
    if not wrong or not all(entry.comparisons for entry in judged):
        return None
    if all(register.endswith(AGAIN) for register in wrong):
        text = "Correct the first time, wrong when the same call is repeated."
    elif all(name.startswith("after reset") for name in off):
        text = "Only calls after a reset are wrong."
    elif all(name.startswith("other cache") for name in off):
        text = "Only the second of two objects is wrong."
    elif "call 1" in names - off:
        text = "The first call is always correct; later ones are not."
    elif names - off and not any(name.startswith("call ") for name in names):
        ordered = sorted(off)
        text = f"Only {joined(ordered)} {be(ordered)} wrong."
    return None if text is None else said("calls", text)


def places(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that along one axis only some places are wrong, or the first ones never."""
    faulty = [part for entry in wrong for part in entry.comparisons if part.fault]
    if any(part.fault not in {Fault.VALUES, Fault.NOT_FINITE} for part in faulty):
        return None
    if any(not isinstance(part.values, np.ndarray) for part in faulty):
        return None
    named = {axis: axis_name(drill, axis) for axis in range(-len(drill.axes), 0)}
    for axis, name in {**named, 0: "entry of the first axis"}.items():
        if any(part.values.ndim < max(-axis, 2) for part in faulty):
            continue
        along = [_wrong_along(part, axis) for part in faulty]
        several = [len(places) for places in along if len(places) > 1]
        if sum(several) < 2 * len(several) + 1:
            continue
        text = _along_axis(name, along)
        if text is not None:
            return said("place", f"{in_every(wrong)} {text}")
    return None


def _along_axis(name: str, along: Sequence[NDArray[Any]]) -> str | None:
    """Describe where along one axis the wrong entries are, if that is alike in all answers."""
    if all(places[0] and not places[1:].any() for places in along):
        return f"only the first {name} is wrong."
    if all(places[-1] and not places[:-1].any() for places in along):
        return f"only the last {name} is wrong."
    starts = {int(np.argmax(places)) for places in along}
    if len(starts) != 1 or not (start := starts.pop()):
        return None
    if start == 1:
        return f"the first {name} is right but the next is not."
    return f"the first {start} along the axis of {name} are right but the next is not."


def _wrong_along(part: Comparison, axis: int) -> NDArray[np.bool_]:
    wrong = np.moveaxis(wrong_entries(part.values, part.leaf), axis, 0)
    return np.asarray(wrong.reshape(len(wrong), -1).any(axis=1))
