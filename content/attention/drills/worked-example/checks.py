"""The checks of `worked-example`."""

from studyattn.attention import STEPS, trace_head
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.space import Excluded

from ...conditions import OF_MATRICES, OF_TOKENS, gradients_space, space
from ...misconceptions import behaviour, projecting, scores, weights
from ...probes import gradient_beside_large, zeros
from ...shared import FORBIDDEN, lower_scores
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    n: int,
    d_model: int,
    d: int,
    d_v: int,
    lowered: float = 0.0,
    zeros: bool = False,
) -> Call:
    """All scores stand `lowered` below what was drawn; with `zeros`, the first token is zeros."""
    x = draw.array(n, d_model, sharp=True)
    w_q, w_k, w_v = draw.weight(d_model, d), draw.weight(d_model, d), draw.weight(d_model, d_v)
    if lowered:
        lower_scores(x, x, w_q, w_k, 1, lowered)
    if zeros:
        x.values[0] = 0.0
    return Call("trace_head", (x, w_q, w_k, w_v))


drill = Drill(
    id="worked-example",
    reference={"trace_head": trace_head},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout="transposed in memory",
                rows="one token",
            ),
            layout=OF_MATRICES,
            rows={
                "several tokens": {"n": 4},
                "n = 5": {"n": 5},
                "one token": {"n": 1},
                "an odd number of tokens": {"n": 13},
            },
            widths={
                "all widths different": {"d_model": 5, "d": 3, "d_v": 2},
                "square": {"d_model": 4, "d": 4, "d_v": 4},
                "values wider than queries": {"d_model": 3, "d": 2, "d_v": 6},
                "queries wider than tokens": {"d_model": 2, "d": 7, "d_v": 3},
                "one feature": {"d_model": 1, "d": 1, "d_v": 1},
            },
            values=OF_TOKENS,
        ),
        gradients_space(
            {
                "two tokens": {"n": 2, "d_model": 2, "d": 1, "d_v": 1},
                "one token": {"n": 1, "d_model": 1, "d": 2, "d_v": 1},
            },
            OF_MATRICES,
            large={"n": 4, "d_model": 3, "d": 2, "d_v": 1},
        ),
    ),
    cases=(case("the same call twice", twice=True, n=3, d_model=4, d=2, d_v=3),),
    probes=(zeros("x"), gradient_beside_large("x")),
    small=(
        {"n": 1, "d_model": 2, "d": 2, "d_v": 1},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 1},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 2},
        {"n": 3, "d_model": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        projecting.scores_scaled_in_trace,
        scores.scale_by_d_model,
        *projecting.PROJECTIONS,
        *weights.OF_ONE_SEQUENCE,
        *behaviour.of("worked-example"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("token", "feature"),
    parts=("q", "k", "v", "scores", "weights", "output"),
    forbidden=FORBIDDEN,
)
