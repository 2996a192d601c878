"""How `worked-example` is checked."""

from studyattn.attention import STEPS, trace_head
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import behaviour, heads, scores, weights
from ...shared import FAR_BELOW, FORBIDDEN, HUGE, lower_scores
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


SIZES = {"n": 4, "d_model": 5, "d": 3, "d_v": 2}

drill = Drill(
    id="worked-example",
    reference={"trace_head": trace_head},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", n=5, d_model=4, d=2, d_v=3),
        case("all sizes the same", n=4, d_model=4, d=4, d_v=4),
        case("one token", n=1, d_model=3, d=2, d_v=4),
        case("large scores", spread=300.0, n=5, d_model=4, d=3, d_v=2),
        case("huge scores", **HUGE, n=5, d_model=4, d=3, d_v=2),
        case("scores far below zero", **FAR_BELOW, n=5, d_model=4, d=3, d_v=2),
        case("a token of zeros", n=5, d_model=4, d=3, d_v=2, zeros=True),
        case("odd sizes", n=13, d_model=11, d=7, d_v=5),
        case("many tokens, many features", n=131, d_model=3, d=67, d_v=2),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, n=3, d_model=4, d=2, d_v=3),
        case("gradients", gradients=True, dtype="float64", n=2, d_model=3, d=2, d_v=2),
    ),
    small=(
        {"n": 1, "d_model": 2, "d": 2, "d_v": 1},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 1},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 2},
        {"n": 3, "d_model": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        heads.scores_scaled_in_trace,
        scores.scale_by_d_model,
        *heads.PROJECTIONS,
        *weights.OF_ONE_SEQUENCE,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("token", "feature"),
    parts=("q", "k", "v", "scores", "weights", "output"),
    forbidden=FORBIDDEN,
)
