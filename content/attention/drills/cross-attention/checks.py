"""How `cross-attention` is checked."""

import numpy as np

from studyattn.attention import STEPS, cross_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, given

from ...misconceptions import behaviour, heads, masks, scores, weights
from ...shared import FAR_BELOW, FORBIDDEN, HUGE, lower_scores, one_unlike, projections
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    b: int,
    m: int,
    n: int,
    d_model: int,
    d_context: int,
    h: int,
    d: int,
    d_v: int,
    masked: bool = False,
    empty: bool = False,
    everywhere: bool | None = None,
    unlike: tuple[int, bool] | None = None,
    lowered: float = 0.0,
    zeros: bool = False,
) -> Call:
    """With `empty`, the last batch entry has no context at all.

    `everywhere` is what all of the mask says, `unlike` the one place that says otherwise, and what
    it says. All scores stand `lowered` below what was drawn; with `zeros`, the first token and the
    first position of the context are nothing but zeros.
    """
    x, context = draw.array(b, m, d_model, sharp=True), draw.array(b, n, d_context, sharp=True)
    weights = projections(draw, d_model=d_model, h=h, d=d, d_v=d_v, d_context=d_context)
    if lowered:
        lower_scores(x, context, *weights[:2], h, lowered)
    if zeros:
        x.values[:, 0], context.values[:, 0] = 0.0, 0.0
    arrays = (x, context, *weights, h)
    if unlike is not None:
        mask = one_unlike((b, n), unlike[0], says=unlike[1])
    elif everywhere is not None:
        mask = given(np.full((b, n), everywhere))
    elif masked or empty:
        mask = draw.mask(b, n)
    else:
        return Call("cross_attention", arrays)
    if empty:
        allowed = np.array(mask.values)
        allowed[-1] = False
        mask = given(allowed)
    return Call("cross_attention", (*arrays, mask))


SIZES = {"b": 2, "m": 4, "n": 5, "d_model": 6, "d_context": 7, "h": 3, "d": 8, "d_v": 9}
SAME = {"d_model": 6, "d_context": 6, "h": 3, "d": 2, "d_v": 2}

drill = Drill(
    id="cross-attention",
    reference={"cross_attention": cross_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", **SIZES),
        case("float64, tiny weights", dtype="float64", spread=3.5, b=2, m=6, n=20, **SAME),
        case("as long as the context", b=2, m=5, n=5, **SAME),
        case("shorter than the context", b=2, m=3, n=6, **SAME),
        case("much longer than the context", b=2, m=130, n=3, **SAME),
        case("batch = heads, masked", masked=True, b=3, m=4, n=5, **SAME),
        case("as long as the context, masked", masked=True, b=4, m=5, n=5, **SAME),
        case("masked", masked=True, dtype="float64", **SIZES),
        case("a batch entry without context", empty=True, **SIZES),
        case("no context for any", everywhere=False, b=2, m=3, n=4, **SAME),
        case("a mask that leaves nothing out", everywhere=True, b=2, m=3, n=4, **SAME),
        case("all but the first position", unlike=(0, False), b=3, m=2, n=5, **SAME),
        case("all but the last position", unlike=(-1, False), b=3, m=2, n=5, **SAME),
        case("one position in all", unlike=(7, True), b=3, m=2, n=9, **SAME),
        case("a long context", dtype="float64", unlike=(1029, False), b=2, m=3, n=1030, **SAME),
        case("one batch entry, masked", masked=True, b=1, m=3, n=4, **SAME),
        case("one query", b=2, m=1, n=5, **SAME),
        case("one position of context", b=2, m=4, n=1, **SAME),
        case("huge scores, one key", **HUGE, masked=True, b=16, m=2, n=2, **SAME),
        case("large scores", spread=100.0, b=2, m=4, n=5, **SAME),
        case("huge scores", **HUGE, b=3, m=4, n=5, **SAME),
        case("scores far below zero", **FAR_BELOW, b=2, m=4, n=5, **SAME),
        case("zeros among the tokens", zeros=True, b=2, m=4, n=5, **SAME),
        case("one head, many features", b=2, m=3, n=4, d_model=4, d_context=4, h=1, d=130, d_v=4),
        case("odd sizes", b=3, m=11, n=13, d_model=9, d_context=7, h=5, d=3, d_v=5),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, masked=True, b=2, m=4, n=3, **SAME),
        case(
            "gradients past an empty context",
            gradients=True,
            dtype="float64",
            empty=True,
            b=2,
            m=2,
            n=2,
            d_model=2,
            d_context=3,
            h=2,
            d=1,
            d_v=1,
        ),
        case(
            "gradients",
            gradients=True,
            dtype="float64",
            b=1,
            m=2,
            n=3,
            d_model=2,
            d_context=2,
            h=2,
            d=1,
            d_v=1,
        ),
    ),
    small=(
        {"b": 1, "m": 1, "n": 1, "d_model": 2, "d_context": 2, "h": 1, "d": 2, "d_v": 2},
        {"b": 1, "m": 2, "n": 2, "d_model": 2, "d_context": 2, "h": 2, "d": 1, "d_v": 1},
        {"b": 1, "m": 2, "n": 2, "d_model": 4, "d_context": 4, "h": 2, "d": 2, "d_v": 2},
        {
            "b": 2,
            "m": 2,
            "n": 2,
            "d_model": 2,
            "d_context": 2,
            "h": 2,
            "d": 1,
            "d_v": 1,
            "masked": True,
        },
    ),
    misconceptions=(
        *heads.CROSS,
        *heads.HEADS,
        *heads.PROJECTIONS,
        heads.output_projection_missing,
        heads.output_transposed,
        heads.residual_added,
        heads.scores_averaged_over_heads,
        scores.scale_by_d_model,
        *masks.APPLIED,
        masks.mask_batch_as_heads,
        masks.mask_repeated_in_wrong_order,
        masks.mask_on_queries,
        masks.mask_first_batch,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "query", "feature"),
    forbidden=FORBIDDEN,
)
