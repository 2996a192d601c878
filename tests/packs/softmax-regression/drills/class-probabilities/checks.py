"""The checks of `class-probabilities`."""

import numpy as np

from studyattn.attention import STEPS, Array, Steps
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.misconception import Misconception


def class_probabilities(x: Array, w: Array, b: Array, *, steps: Steps = STEPS) -> Array:
    """softmax(x w + b) over the classes: (n, d), (d, c), (c,) to (n, c)."""
    return steps.normalise(steps.project(x, w) + b)


def ask(draw: Draw, *, n: int, d: int, c: int) -> Call:
    return Call(
        "class_probabilities", (draw.array(n, d, sharp=True), draw.array(d, c), draw.array(c))
    )


def _over_inputs(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=-2, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


drill = Drill(
    id="class-probabilities",
    reference={"class_probabilities": class_probabilities},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", n=4, d=3, c=5),
        case("float64", dtype="float64", n=3, d=4, c=2),
        case("one input", n=1, d=3, c=4),
        case("large logits", spread=1000.0, n=4, d=3, c=5),
        case("the same call twice", twice=True, n=3, d=2, c=4),
    ),
    small=({"n": 2, "d": 1, "c": 2}, {"n": 2, "d": 2, "c": 3}),
    misconceptions=(
        Misconception(
            id="softmax-missing",
            title="Logits are returned; they are not made into shares.",
            formula=r"\frac{e^{z_i}}{\sum_j e^{z_j}}",
            concept="class-probabilities",
            ways=({"normalise": lambda logits: logits},),
        ),
        Misconception(
            id="softmax-over-inputs",
            title="The softmax runs over the inputs, not over the classes.",
            formula=r"\sum_j e^{z_j}",
            concept="class-probabilities",
            ways=({"normalise": _over_inputs},),
        ),
    ),
    axes=("input", "class"),
)
