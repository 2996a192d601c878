"""The checks of `softmax`."""

import numpy as np

from studyattn.attention import STEPS, softmax
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import gradients_space, space
from ...misconceptions import behaviour, weights
from ...probes import entry, gradient_beside_large, zeros
from ...shared import FORBIDDEN

SPLIT_LAYOUTS = ("permuted as by split_heads", "expanded along the first axis")


def ask(
    draw: Draw,
    *,
    n: int,
    batch: tuple[int, ...] = (),
    lowered: float = 0.0,
    zeros: bool = False,
    hidden: bool = False,
) -> Call:
    """`lowered` is taken from all entries but the first of a row, of which it is taken twice.

    With `zeros`, the last row is nothing but zeros. With `hidden`, the second entry of each row is
    -inf, as a mask leaves it.
    """
    x = draw.array(*batch, n, sharp=True)
    values = x.values - lowered
    values[..., 0] -= lowered
    if zeros:
        values[..., -1, :] = 0.0
    if hidden:
        values[..., 1] = -np.inf
    return Call("softmax", (with_values(x, values),))


drill = Drill(
    id="softmax",
    reference={"softmax": softmax},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "a single row has no second axis",
                layout=("transposed in memory", *SPLIT_LAYOUTS),
                shape="one row",
            ),
            Excluded(
                "a matrix has no leading axis to permute or expand",
                layout=SPLIT_LAYOUTS,
                shape=(
                    "a matrix",
                    "as many rows as columns",
                    "one entry in a row",
                ),
            ),
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                shape="one entry in a row",
            ),
            Excluded(
                "a row of one entry has no larger and smaller entries",
                values=("a row of zeros", "entries of -inf"),
                shape=("one entry in a row", "one row"),
            ),
            shape={
                "a batch of matrices": {"batch": (2, 3), "n": 4},
                "a matrix": {"batch": (3,), "n": 5},
                "one row": {"batch": (), "n": 7},
                "batch and heads": {"batch": (3, 2, 5), "n": 4},
                "as many rows as columns": {"batch": (4,), "n": 4},
                "one entry in a row": {"batch": (3,), "n": 1},
                "five axes": {"batch": (2, 1, 3, 5), "n": 7},
                "six axes": {"batch": (1, 2, 1, 2, 3), "n": 4},
            },
            values={
                "drawn": {},
                "a row of zeros": {"zeros": True},
                "large numbers": {"spread": 1e3},
                "entries of -inf": {"hidden": True},
                "huge numbers": {"spread": 1e7},
                "rows far below zero": {"spread": 2.0, "lowered": 2e6},
                "tiny shares": {"spread": 3.5},
            },
        ),
        gradients_space(
            {"a matrix": {"batch": (3,), "n": 4}, "three axes": {"batch": (2, 2), "n": 3}},
            large={"spread": 1e6, "batch": (4,), "n": 5},
        ),
    ),
    cases=(
        case("float64, tiny probabilities", dtype="float64", spread=3.5, batch=(6,), n=40),
        case(
            "rows of large negative and positive scores",
            spread=300.0,
            dtype="float64",
            batch=(6,),
            n=4,
        ),
        case("the same call twice", twice=True, batch=(5,), n=6),
    ),
    probes=(
        gradient_beside_large("x"),
        zeros("x"),
        entry("x", "-inf", lambda x: x == -np.inf),
        entry("x", "above 1,000", lambda x: x > 1000),
        entry("x", "below -1,000", lambda x: (x < -1000) & (x > -np.inf)),
        entry("x", "above 1,000,000", lambda x: x > 1e6),
    ),
    small=(
        {"batch": (), "n": 2},
        {"batch": (2,), "n": 2},
        {"batch": (2,), "n": 3},
        {"batch": (2, 2), "n": 2},
    ),
    misconceptions=(*weights.OF_ROWS, *behaviour.of("softmax")),
    axes=("row", "entry"),
    exact_zeros=True,
    forbidden=(*FORBIDDEN, "softmax", "scipy"),
)
