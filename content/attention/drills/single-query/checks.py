"""The checks of `single-query`."""

from studyattn.attention import STEPS, attend
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import OF_MATRICES, VALUES, WIDTHS, gradients_space, space, without_batch
from ...misconceptions import behaviour, scores, weights
from ...probes import gradient_beside_large, zeros
from ...shared import FORBIDDEN, queries_keys_values
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, **sizes: int) -> Call:
    q, k, v = queries_keys_values(draw, m=1, **sizes)
    return Call("attend", (with_values(q, q.values[0]), k, v))


drill = Drill(
    id="single-query",
    reference={"attend": attend},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride", layout="transposed in memory", keys="one key"
            ),
            keys={
                "several keys": {"n": 5},
                "n = d": {"n": 4},
                "one key": {"n": 1},
                "odd number of keys": {"n": 17},
            },
            widths=without_batch(WIDTHS),
            values={
                **VALUES,
                "huge scores": {"spread": 3e3, "n": 40},
                "tiny weights": {"spread": 3.5, "n": 40},
            },
            layout=OF_MATRICES,
        ),
        gradients_space(
            {"several keys": {"n": 3, "d": 3, "d_v": 2}},
            OF_MATRICES,
            large={"n": 4, "d": 3, "d_v": 2},
        ),
    ),
    cases=(case("the same call twice", twice=True, n=5, d=3, d_v=4),),
    probes=(gradient_beside_large("q", "k"), *map(zeros, "qkv")),
    small=({"n": 2, "d": 2, "d_v": 1}, {"n": 2, "d": 2, "d_v": 2}, {"n": 3, "d": 2, "d_v": 2}),
    misconceptions=(
        *scores.SCALE,
        weights.softmax_missing,
        weights.softmax_unstable,
        weights.softmax_not_divided,
        weights.softmax_without_exponential,
        weights.softmax_dropped,
        weights.softmax_underflow_of_a_row,
        *weights.ROWS_WRONG[2:],
        scores.values_are_keys,
        scores.keys_are_values,
        *behaviour.of("scaling"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("value",),
    forbidden=FORBIDDEN,
)
