"""The checks of `adamw-step`."""

import numpy as np

from studyattn.attention import OPTIMISER_STEPS, adamw_step
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded
from studyattn.grading.tolerance import rounded

from ...conditions import BATCHES, DTYPES, by_keyword, space
from ...misconceptions import behaviour, optimiser
from ...probes import zeros
from ...shared import FORBIDDEN

SETTINGS = {
    "all given": (0.8, 0.95, 1e-3, 0.3),
    "other means": (0.5, 0.6, 1e-8, 0.1),
    "no decay": (0.9, 0.99, 1e-8, 0.0),
    "a large epsilon": (0.9, 0.99, 0.5, 0.2),
    "nothing given": (),
}
ZEROS = "means of the last step alone"
OF_ZERO = {ZEROS: (0.0, 0.0, 0.0, 0.3)}
"""A number that is given as 0 is not one that is missing."""


def ask(
    draw: Draw,
    *,
    n: int,
    batch: tuple[int, ...] = (),
    step: int = 3,
    rate: float = 0.25,
    settings: str = "all given",
    begun: bool = True,
    times: float = 1.0,
    zeros: bool = False,
) -> Call:
    """A step; the first one, from means of 0, unless `begun`. With `zeros`, the last entries of the
    gradient and of its means are zero. The gradients are `times` what was drawn.

    Where nothing stays of the means, no entry of the gradient is smaller than they are:
    mean + (gradient - mean) would lose its digits.
    """
    weights, gradient, mean, square = (draw.array(*batch, n) for _ in range(4))
    if settings == ZEROS:
        away = np.copysign(1.0 + np.abs(gradient.values), gradient.values)
        gradient = with_values(gradient, rounded(away, draw.case.dtype))
        mean, square = (with_values(each, np.clip(each.values, -1, 1)) for each in (mean, square))
    gradient, mean, square = (
        with_values(array, rounded(values, draw.case.dtype))
        for array, values in (
            (gradient, times * gradient.values),
            (mean, times * mean.values),
            (square, (times * square.values) ** 2),
        )
    )
    for array in (mean, square):
        if not begun:
            array.values[...] = 0.0
    for array in (gradient, mean, square):
        if zeros:
            array.values[..., -1] = 0.0
    given = (SETTINGS | OF_ZERO)[settings]
    return Call("adamw_step", (weights, gradient, mean, square, step, rate, *given))


drill = Drill(
    id="adamw-step",
    reference={"adamw_step": adamw_step},
    steps=OPTIMISER_STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "without a batch, the weights are a vector",
                layout="transposed in memory",
                batch="no batch",
            ),
            Excluded(
                "a matrix has no axis before its last two",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                batch="one batch axis",
            ),
            Excluded(
                "the axes that would be swapped have size 1",
                layout="permuted as by split_heads",
                batch="three batch axes",
            ),
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                width="one weight",
            ),
            Excluded(
                "an argument that is not passed has no keyword",
                settings="nothing given",
                passed="beta_1 by keyword",
            ),
            dtype={name: DTYPES[name] for name in ("float32", "float64")},
            batch=BATCHES,
            width={
                "several weights": {"n": 4},
                "one weight": {"n": 1},
            },
            steps={
                "the third step": {},
                "the second step": {"step": 2},
                "the first step": {"step": 1, "begun": False},
                "step 1 with means that are not 0": {"step": 1},
                "a late step": {"step": 5000},
            },
            settings={name: {"settings": name} for name in SETTINGS},
            rate={"a rate of 0.25": {}, "a rate of 0.003": {"rate": 0.003}},
            values={"drawn": {}, "zeros among the gradients": {"zeros": True}},
            passed=by_keyword("beta_1"),
        ),
    ),
    cases=(
        case("all by keyword", n=3, keywords=("gradient",)),
        case("the same call twice", twice=True, n=3, batch=(2,)),
        case("a rate of 0, the same call twice", twice=True, rate=0.0, n=3),
        case("settings of 0, a tiny gradient", times=1e-8, n=4, batch=(2,), settings=ZEROS),
        case("a huge gradient", dtype="float64", times=1e6, n=4, batch=(2,)),
    ),
    probes=(
        zeros("gradient"),
        *(
            Probe(f"step {number}", lambda call, number=number: call["step"] == number)
            for number in (1, 2, 3, 5000)
        ),
        Probe("no decay", lambda call: call["decay"] == 0),
        Probe("settings not given", lambda call: call["beta_1"] is None),
        Probe("decay by keyword", lambda call: "decay" in call.keywords),
        Probe("means of zero", lambda call: not np.any(call["mean"].values)),
    ),
    unasked={
        "*float16*": "the usual epsilon is 0 in half precision",
        "*gradient of*": "no gradient flows through an optimizer step",
    },
    small=(
        {"n": 1},
        {"n": 2},
        {"n": 2, "step": 1, "begun": False},
        {"n": 2, "step": 2, "settings": "a large epsilon"},
        {"n": 2, "settings": "no decay"},
    ),
    misconceptions=(
        *optimiser.OF_ADAMW,
        *(each for each in behaviour.of("adamw") if "gradient" not in each.id),
    ),
    axes=("row", "weight"),
    parts=("weights", "mean", "square"),
    told_as={"settings": "", "begun": "", "times": "", "zeros": ""},
    forbidden=FORBIDDEN,
)
