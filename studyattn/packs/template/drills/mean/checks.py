"""The checks of `mean`."""

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.misconception import Misconception


def mean(x: np.ndarray) -> np.ndarray:
    """Return the right answer: (rows, n) to (rows,)."""
    return x.mean(axis=-1)


def ask(draw: Draw, *, rows: int, n: int) -> Call:
    """Call the submission's `mean` with fresh numbers."""
    return Call("mean", (draw.array(rows, n),))


drill = Drill(
    id="mean",
    reference={"mean": mean},
    ask=ask,
    cases=(
        case("rows and numbers differ", rows=4, n=3),
        case("a square matrix", rows=3, n=3),
        case("one row", rows=1, n=5),
        case("float64", dtype="float64", rows=2, n=6),
    ),
    small=({"rows": 2, "n": 2}, {"rows": 3, "n": 3}),
    misconceptions=(
        Misconception(
            id="mean-not-divided",
            title="The numbers are summed, but the sum is not divided by their count.",
            formula=r"\bar{x} = \frac{1}{n} \sum_i x_i",
            concept="mean",
            ways=({"mean": lambda x: x.sum(axis=-1)},),
        ),
        Misconception(
            id="mean-over-rows",
            title="The mean is taken over the rows, not over the numbers of each row.",
            formula=r"y_i = \frac{1}{n} \sum_j x_{ij}",
            concept="mean",
            ways=({"mean": lambda x: x.mean(axis=0)},),
        ),
    ),
    axes=("row",),
    backends=("numpy",),
)
