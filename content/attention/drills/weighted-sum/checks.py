"""The checks of `weighted-sum`."""

from studyattn.attention import STEPS, weighted_sum
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import OF_MATRICES, gradients_space, space
from ...misconceptions import behaviour, vectors
from ...probes import entry, zeros
from ...shared import FORBIDDEN


def ask(draw: Draw, *, n: int, d: int, zeros: bool = False) -> Call:
    """With `zeros`, the first value is nothing but zeros."""
    weights, values = draw.array(1, n, sharp=True), draw.array(n, d, sharp=True)
    if zeros:
        values.values[0] = 0.0
    return Call("weighted_sum", (with_values(weights, weights.values[0]), values))


drill = Drill(
    id="weighted-sum",
    reference={"weighted_sum": weighted_sum},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride", layout="transposed in memory", rows="one row"
            ),
            rows={
                "several values": {"n": 5},
                "n = d": {"n": 3},
                "one row": {"n": 1},
            },
            widths={
                "several columns": {"d": 3},
                "an odd number of columns": {"d": 7},
                "one feature": {"d": 1},
            },
            values={
                "drawn": {},
                "zeros among the vectors": {"zeros": True},
                "large numbers": {"spread": 1e4},
            },
            layout=OF_MATRICES,
        ),
        gradients_space({"several values": {"n": 3, "d": 2}}, OF_MATRICES),
    ),
    cases=(case("the same call twice", twice=True, n=5, d=3),),
    probes=(
        zeros("values"),
        entry("values", "above 1,000", lambda values: values > 1000),
    ),
    small=({"n": 2, "d": 1}, {"n": 2, "d": 2}, {"n": 3, "d": 2}),
    misconceptions=(
        vectors.weights_unused,
        vectors.weights_normalised,
        vectors.sum_divided_by_count,
        vectors.sum_over_columns,
        *behaviour.of("weighted-sum"),
    ),
    axes=("column",),
    forbidden=FORBIDDEN,
)
