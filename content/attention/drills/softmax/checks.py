"""How `softmax` is checked."""

import numpy as np

from studyattn.attention import STEPS, softmax
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import gradients_space, space
from ...misconceptions import behaviour, weights
from ...probes import entry, gradient_beside_large, longer_than, zeros
from ...shared import FORBIDDEN

SPLIT_LAYOUTS = ("permuted as by split_heads", "expanded along the first axis")


def ask(
    draw: Draw,
    *,
    shape: tuple[int, ...],
    lowered: float = 0.0,
    zeros: bool = False,
    hidden: bool = False,
) -> Call:
    """`lowered` is taken from all entries but the first of a row, of which it is taken twice.

    With `zeros`, the last row is nothing but zeros. With `hidden`, the second entry of each row is
    -inf, as a mask leaves it.
    """
    x = draw.array(*shape, sharp=True)
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
                "a batch of matrices": {"shape": (2, 3, 4)},
                "a matrix": {"shape": (3, 5)},
                "one row": {"shape": (7,)},
                "batch and heads": {"shape": (3, 2, 5, 4)},
                "as many rows as columns": {"shape": (4, 4)},
                "one entry in a row": {"shape": (3, 1)},
                "five axes": {"shape": (2, 1, 3, 5, 7)},
                "six axes": {"shape": (1, 2, 1, 2, 3, 4)},
                "more than 2,048 entries": {"shape": (2, 2053)},
                "more than 2,048 rows": {"shape": (2053, 3)},
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
            {"a matrix": {"shape": (3, 4)}, "three axes": {"shape": (2, 2, 3)}},
            large={"spread": 1e6, "shape": (4, 5)},
        ),
    ),
    cases=(
        case("float64, tiny probabilities", dtype="float64", spread=3.5, shape=(6, 40)),
        case(
            "rows of large negative and positive scores",
            spread=300.0,
            dtype="float64",
            shape=(6, 4),
        ),
        case("the same call twice", twice=True, shape=(5, 6)),
    ),
    probes=(
        gradient_beside_large("x"),
        longer_than("x", 2048, axis=-1),
        zeros("x"),
        entry("x", "-inf", lambda x: x == -np.inf),
        entry("x", "above 1,000", lambda x: x > 1000),
        entry("x", "below -1,000", lambda x: (x < -1000) & (x > -np.inf)),
        entry("x", "above 1,000,000", lambda x: x > 1e6),
    ),
    small=({"shape": (2,)}, {"shape": (2, 2)}, {"shape": (2, 3)}, {"shape": (2, 2, 2)}),
    misconceptions=(*weights.OF_ROWS, *behaviour.of("softmax")),
    axes=("row", "entry"),
    exact_zeros=True,
    forbidden=(*FORBIDDEN, "softmax", "scipy"),
)
