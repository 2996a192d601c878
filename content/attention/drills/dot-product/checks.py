"""The checks of `dot-product`."""

from studyattn.attention import STEPS, dot_product
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import OF_MATRICES, gradients_space, space
from ...misconceptions import behaviour, scores, vectors
from ...probes import entry, zeros
from ...shared import FORBIDDEN


def ask(draw: Draw, *, n: int, d: int, zeros: bool = False) -> Call:
    """With `zeros`, the first row of b is nothing but zeros."""
    a, b = draw.array(1, d, sharp=True), draw.array(n, d, sharp=True)
    if zeros:
        b.values[0] = 0.0
    return Call("dot_product", (with_values(a, a.values[0]), b))


drill = Drill(
    id="dot-product",
    reference={"dot_product": dot_product},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride", layout="transposed in memory", rows="one row"
            ),
            rows={
                "several rows": {"n": 5},
                "n = d": {"n": 3},
                "one row": {"n": 1},
            },
            widths={
                "several entries": {"d": 3},
                "an odd number of entries": {"d": 7},
                "one feature": {"d": 1},
            },
            values={
                "drawn": {},
                "zeros among the vectors": {"zeros": True},
                "large numbers": {"spread": 1e4},
            },
            layout=OF_MATRICES,
        ),
        gradients_space({"several rows": {"n": 3, "d": 2}}, OF_MATRICES),
    ),
    cases=(case("the same call twice", twice=True, n=5, d=3),),
    probes=(zeros("b"), entry("b", "above 1,000", lambda b: b > 1000)),
    small=({"n": 2, "d": 1}, {"n": 2, "d": 2}, {"n": 3, "d": 2}),
    misconceptions=(
        vectors.dot_averaged,
        vectors.dot_over_rows,
        scores.scores_from_distances,
        *behaviour.of("dot-product"),
    ),
    axes=("row",),
    forbidden=FORBIDDEN,
)
