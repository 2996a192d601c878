"""The checks of `stretched-rope`."""

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import stretching
from ...reference.stretching import STEPS, interpolated, ntk, yarn, yarn_scale
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, TWO_LAYOUTS, behaviour, by_keyword


def ask(
    draw: Draw,
    *,
    n: int,
    factor: float = 4.0,
    original: int = 2048,
    base: float = 10_000.0,
    ends: tuple[float, ...] = (2.0, 24.0),
) -> list[Call]:
    """Speeds by a base, a little off; the `ends` of YaRN's ramp may be left out."""
    powers = -np.arange(n) / n
    off = 1 + 0.05 * draw.generator.uniform(-1, 1, n)
    values = base**powers * off
    if draw.case.whole:
        values = 10.0 ** -np.arange(n)
    speeds = with_values(draw.array(n), rounded(values, draw.case.dtype))
    return [
        Call("interpolated", (speeds, factor), into="interpolated"),
        Call("ntk", (speeds, factor), into="ntk"),
        Call("yarn", (speeds, factor, original, *ends), into="yarn"),
        Call("yarn_scale", (factor,), into="scale"),
    ]


drill = Drill(
    id="stretched-rope",
    reference={"interpolated": interpolated, "ntk": ntk, "yarn": yarn, "yarn_scale": yarn_scale},
    steps=STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": TWO_LAYOUTS,
                "pairs": {
                    "sixteen pairs": {"n": 16},
                    "two pairs": {"n": 2},
                    "five pairs": {"n": 5},
                },
                "factor": {
                    "four times": {},
                    "as long": {"factor": 1.0},
                    "half as long again": {"factor": 1.5},
                    "forty times": {"factor": 40.0},
                },
                "original": {
                    "2,048 tokens": {},
                    "100 tokens": {"original": 100},
                    "8,000 tokens": {"original": 8000},
                },
                "base": {
                    "base 10,000": {},
                    "base 500": {"base": 500.0},
                    "base 500,000": {"base": 5e5},
                },
                "ends": {
                    "given": {},
                    "not given": {"ends": ()},
                    "close together": {"ends": (4.0, 5.0)},
                },
                "passed": by_keyword("original"),
            },
        ),
    ),
    cases=(case("the same calls twice", twice=True, n=4),),
    probes=(
        Probe("ends not given", lambda call: call["original"] is not None and call["slow"] is None),
    ),
    unasked=NO_GRADIENT | NO_HALVES | {"*n = 1*": "of one pair, the first is the last"},
    small=(
        {"n": 2, "factor": 2.0, "original": 100},
        {"n": 3, "factor": 4.0, "original": 1000},
        {"n": 3, "factor": 2.0, "original": 200, "ends": (2.0, 4.0)},
    ),
    misconceptions=(*stretching.OF_STRETCHING, *behaviour("yarn")),
    axes=("pair",),
    told_as={"ends": "", "base": ""},
)
