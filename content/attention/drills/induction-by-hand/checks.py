"""The checks of `induction-by-hand`: by what the weights do to texts, since many are right.

The weights go into the submission's own `two_layers`, which random weights show to be right.
"""

import dataclasses

import numpy as np

from studyattn.attention import STEPS, induction_weights, two_layers
from studyattn.grading.call_plan import ArrayInput, Call, Register
from studyattn.grading.drill import Asked, Draw, Drill, case
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...conditions import OF_MATRICES, gradients_space, space
from ...misconceptions import behaviour, induction, masks
from ...shared import FORBIDDEN


def rows(draw: Draw, vocabulary: int, tokens: np.ndarray) -> ArrayInput:
    """Tokens `(n,)` as rows `(n, 3 · vocabulary + n)`: token, position and room for two tokens."""
    n = len(tokens)
    x = np.zeros((n, 3 * vocabulary + n))
    x[np.arange(n), tokens] = 1.0
    x[np.arange(n), vocabulary + np.arange(n)] = 1.0
    return ArrayInput(x, draw.case.dtype, draw.case.layout)


def text(draw: Draw, vocabulary: int, n: int, kind: str) -> np.ndarray:
    """Token 0, then others: drawn, with none of them twice, or one again and again."""
    others = draw.generator.permutation(np.arange(1, vocabulary))
    if kind == "drawn":
        rest = draw.generator.choice(others, n - 1)
    else:
        rest = np.resize(others if kind == "new" else others[:1], n - 1)
    return np.concatenate(([0], rest)).astype(np.int64)


def softened(draw: Draw, qk: ArrayInput) -> ArrayInput:
    """W_QK `(d, d)` over √d: x W_QK xᵀ is not divided by √d, so its scores would be about √d.

    Two layers of such sharp weights make more of one rounding than a bound on it allows for. The
    whole numbers of the smallest questions are kept.
    """
    if draw.case.whole:
        return qk
    values = rounded(qk.values / np.sqrt(len(qk.values)), draw.case.dtype)
    return dataclasses.replace(qk, values=values)


def ask(
    draw: Draw, *, n: int, d: int = 0, vocabulary: int = 0, kind: str = "drawn", below: float = 0.0
) -> Asked:
    """With `vocabulary` and in float32, two layers of the submission's own weights.

    Else they are drawn, `d` wide.
    In the first of two layers, a row's score of itself is about `below` · d below zero.
    """
    if not vocabulary or draw.case.dtype != "float32":
        d = d or 6
        x = draw.array(n, d)
        qk_1, ov_1, qk_2, ov_2 = (draw.weight(d, d) for _ in range(4))
        qk_1, qk_2 = softened(draw, qk_1), softened(draw, qk_2)
        if below:
            qk_1 = dataclasses.replace(qk_1, values=qk_1.values - below * np.eye(d))
        return Call("two_layers", (x, qk_1, ov_1, qk_2, ov_2))
    vocabulary = max(vocabulary, 2)  # where sizes are cut down for a counterexample
    other = text(draw, vocabulary, n, "drawn")
    weights = Call(
        "induction_weights", (rows(draw, vocabulary, other), vocabulary), into="_weights"
    )
    parts = tuple(Register("_weights", part) for part in range(4))
    asked = rows(draw, vocabulary, text(draw, vocabulary, n, kind))
    return weights, Call("two_layers", (asked, *parts))


drill = Drill(
    id="induction-by-hand",
    reference={"two_layers": two_layers, "induction_weights": induction_weights},
    steps=STEPS,
    exponents="scores",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("transposed in memory", "strided in memory"),
                rows="one row",
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("transposed in memory", "strided in memory"),
                widths="one feature",
            ),
            layout=OF_MATRICES,
            rows={
                "several rows": {"n": 5},
                "n = d": {"n": 6},
                "one row": {"n": 1},
            },
            widths={
                "several features": {"d": 6},
                "one feature": {"d": 1},
            },
        ),
        Space(
            axes={
                "texts": {
                    "a text": {},
                    "no token twice": {"kind": "new"},
                    "one token again and again": {"kind": "same"},
                },
                "sizes": {
                    "n > vocabulary": {"vocabulary": 5, "n": 12},
                    "n < vocabulary": {"vocabulary": 9, "n": 7},
                    "n = vocabulary": {"vocabulary": 6, "n": 6},
                    "one token": {"vocabulary": 3, "n": 1},
                    "two tokens": {"vocabulary": 2, "n": 2},
                },
            },
            excluded=(
                Excluded(
                    "a longer text repeats a token",
                    texts="no token twice",
                    sizes="n > vocabulary",
                ),
            ),
            prefix="by hand",
        ),
        gradients_space({"two features": {"n": 3, "d": 2}}, OF_MATRICES),
    ),
    cases=(
        case("by hand: a long text", vocabulary=30, n=60),
        case("scores far below zero", dtype="float64", n=5, d=6, below=1e10),
        case("the same call twice", twice=True, n=4, d=3),
        case("by hand: the same call twice", twice=True, vocabulary=4, n=6),
    ),
    small=(
        {"n": 1, "d": 1},
        {"n": 2, "d": 1},
        {"n": 2, "d": 2},
        {"vocabulary": 2, "n": 1},
    ),
    misconceptions=(
        *induction.OF_INDUCTION,
        masks.mask_missing,
        masks.mask_excludes_self,
        masks.mask_future_only,
        *behaviour.of("induction-heads"),
    ),
    axes=("position", "entry"),
    forbidden=FORBIDDEN,
)
