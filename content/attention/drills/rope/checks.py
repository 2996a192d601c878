"""How `rope` is checked."""

import dataclasses

import numpy as np

from studyattn.attention import STEPS, rope
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, given
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, LAYOUTS, gradients_space, space
from ...misconceptions import behaviour, positions
from ...probes import entry, longer_than, zeros
from ...shared import FORBIDDEN


def ask(
    draw: Draw,
    *,
    n: int,
    d: int,
    batch: tuple[int, ...] = (),
    first: int = 0,
    step: int = 1,
    base: float | None = None,
    zeros: bool = False,
) -> Call:
    """Rows at the positions `first`, `first + step`, …; with `zeros`, the last row is zero."""
    x = draw.array(*batch, n, d)
    if zeros:
        x.values[..., -1, :] = 0.0
    where = given(first + step * np.arange(n))
    if draw.case.layout is Layout.STRIDED:
        where = dataclasses.replace(where, layout=Layout.STRIDED)
    return Call("rope", (x, where) if base is None else (x, where, base))


drill = Drill(
    id="rope",
    reference={"rope": rope},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of one entry has no step in memory",
                layout=("transposed in memory", "permuted as split_heads leaves it"),
                rows="one row",
            ),
            batch=BATCHES,
            rows={
                "several rows": {"n": 5},
                "n = d": {"n": 6},
                "one row": {"n": 1},
                "more than 2,048 rows": {"n": 2053, "d": 4, "batch": (), "first": 3, "step": 0},
            },
            widths={
                "several pairs": {"d": 6},
                "one pair of entries": {"d": 2},
                "four pairs": {"d": 8},
                "more than 140 features": {"d": 150, "batch": ()},
            },
            places={
                "from 0 on": {},
                "from 7 on": {"first": 7},
                "every third": {"step": 3},
                "backwards": {"first": 9, "step": -1},
                "all at one position": {"first": 4, "step": 0},
            },
            bases={"base 10,000": {}, "base 100": {"base": 100.0}, "base 1": {"base": 1.0}},
            values={"drawn": {}, "zeros among the vectors": {"zeros": True}},
        ),
        gradients_space(
            {"two pairs": {"n": 2, "d": 4, "first": 1}, "a batch": {"batch": (2,), "n": 2, "d": 2}},
            LAYOUTS,
        ),
    ),
    cases=(
        case("float64, far away", dtype="float64", first=40, n=5, d=6),
        case("the same call twice", twice=True, first=2, n=4, d=6),
        case("base by keyword", keywords=("base",), base=500.0, n=4, d=6),
    ),
    probes=(longer_than("x", 2048), zeros("x"), entry("positions", "above 40", lambda t: t > 40)),
    unasked={
        "*gradient of positions*": "whole numbers have no gradient",
        "no gradient of x, one of another": "whole numbers have no gradient",
        "*d = 1": "d is even",
    },
    small=(
        {"n": 1, "d": 2, "first": 1},
        {"n": 2, "d": 2},
        {"n": 2, "d": 4},
        {"n": 2, "d": 4, "first": 1},
    ),
    misconceptions=(*positions.OF_ROPE, *behaviour.BEHAVIOUR),
    axes=("position", "entry"),
    told_as={"first": "", "step": ""},
    slack=4.0,  # an angle has as many digits less as its position has before the point
    forbidden=FORBIDDEN,
)
