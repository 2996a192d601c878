"""How `multi-head-attention` is checked."""

import numpy as np

from studyattn.attention import STEPS, multi_head_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, given

from ...misconceptions import behaviour, heads, masks, scores, weights
from ...shared import FAR_BELOW, FORBIDDEN, HUGE, lower_scores, one_unlike, projections
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    n: int,
    d_model: int,
    h: int,
    d: int,
    d_v: int,
    over: tuple[int, ...] | None = None,
    empty: int | None = None,
    for_all_queries: bool = False,
    everywhere: bool | None = None,
    unlike: tuple[int, bool] | None = None,
    lowered: float = 0.0,
    zeros: bool = False,
) -> Call:
    """`over` are the mask's leading axes, None for no mask; row `empty` may attend to nothing.

    `everywhere` is what all of the mask says, `unlike` the one place that says otherwise, and what
    it says. Three axes of a mask could be read as of a batch entry or of a head, and are not asked.
    All scores stand `lowered` below what was drawn; with `zeros`, the first token is all zeros.
    """
    x = draw.array(*batch, n, d_model, sharp=True)
    weights = projections(draw, d_model=d_model, h=h, d=d, d_v=d_v)
    if lowered:
        lower_scores(x, x, *weights[:2], h, lowered)
    if zeros:
        x.values[..., 0, :] = 0.0
    arrays = (x, *weights, h)
    if over is None:
        return Call("multi_head_attention", arrays)
    mask = draw.mask(*over, 1 if for_all_queries else n, n)
    if everywhere is not None:
        mask = given(np.full(mask.values.shape, everywhere))
    if unlike is not None:
        mask = one_unlike(mask.values.shape, unlike[0], says=unlike[1])
    if empty is not None:
        allowed = np.array(mask.values)
        allowed[..., empty, :] = False
        mask = given(allowed)
    return Call("multi_head_attention", (*arrays, mask))


SIZES = {"batch": (2,), "n": 5, "d_model": 6, "h": 3, "d": 4, "d_v": 7}
TWO_AXES = {"batch": (2, 3), "n": 4, "d_model": 6, "h": 2, "d": 3, "d_v": 3}

drill = Drill(
    id="multi-head-attention",
    reference={"multi_head_attention": multi_head_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(3,), n=4, d_model=5, h=2, d=3, d_v=4),
        case(
            "float64, tiny weights",
            dtype="float64",
            spread=3.5,
            batch=(2,),
            n=20,
            d_model=6,
            h=2,
            d=5,
            d_v=3,
        ),
        case("square weights", batch=(2,), n=5, d_model=6, h=3, d=2, d_v=2),
        case("as many tokens as heads", batch=(2,), n=3, d_model=6, h=3, d=2, d_v=2),
        case("batch = heads", batch=(4,), n=5, d_model=8, h=4, d=2, d_v=2),
        case("no batch", n=4, d_model=6, h=2, d=3, d_v=3),
        case("two batch axes", **TWO_AXES),
        case("one token", batch=(2,), n=1, d_model=4, h=2, d=2, d_v=2),
        case("one head", batch=(2,), n=4, d_model=4, h=1, d=4, d_v=4),
        case(
            "huge scores, one key",
            **HUGE,
            over=(16, 1),
            batch=(16,),
            n=2,
            d_model=6,
            h=3,
            d=2,
            d_v=2,
        ),
        case("large scores", spread=100.0, batch=(2,), n=5, d_model=6, h=3, d=2, d_v=2),
        case("huge scores", **HUGE, batch=(3,), n=5, d_model=6, h=3, d=4, d_v=2),
        case("scores far below zero", **FAR_BELOW, **SIZES),
        case("a token of zeros", zeros=True, **SIZES),
        case("a mask for all", over=(), dtype="float64", **SIZES),
        case(
            "a mask for all, as long as batch and heads",
            over=(),
            batch=(4,),
            n=4,
            d_model=8,
            h=4,
            d=2,
            d_v=2,
        ),
        case("a mask for each batch entry", over=(2, 1), **SIZES),
        case("a mask with axes for batch and heads", over=(1, 1), **SIZES),
        case("a mask of keys alone", over=(2, 1), for_all_queries=True, **SIZES),
        case("a mask for each head", over=(1, 3), **SIZES),
        case("a mask for each batch entry and head", over=(2, 3), **SIZES),
        case("a mask for two batch axes", over=(2, 3, 1), **TWO_AXES),
        case("a mask that allows everything", over=(), everywhere=True, **SIZES),
        case("a mask that allows nothing", over=(2, 1), everywhere=False, **SIZES),
        case("all but the first pair allowed", over=(2, 1), unlike=(0, False), **SIZES),
        case("all but the last pair allowed", over=(2, 1), unlike=(-1, False), **SIZES),
        case("one pair allowed", over=(), unlike=(7, True), n=9, d_model=6, h=3, d=4, d_v=7),
        case("a long sequence, many features", batch=(1,), n=260, d_model=4, h=1, d=130, d_v=3),
        case("a row that may attend to nothing", over=(), empty=0, **SIZES),
        case("odd sizes", batch=(3,), n=11, d_model=9, h=5, d=7, d_v=3),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(2,), n=4, d_model=6, h=2, d=3, d_v=3),
        case("gradients", gradients=True, dtype="float64", n=3, d_model=4, h=2, d=2, d_v=2),
        case(
            "gradients past an empty row",
            gradients=True,
            dtype="float64",
            batch=(2,),
            n=3,
            d_model=2,
            h=2,
            d=1,
            d_v=1,
            over=(2, 1),
            empty=-1,
        ),
    ),
    small=(
        {"n": 1, "d_model": 2, "h": 2, "d": 1, "d_v": 1},
        {"n": 2, "d_model": 2, "h": 2, "d": 1, "d_v": 1},
        {"n": 2, "d_model": 4, "h": 2, "d": 2, "d_v": 2},
        {"n": 2, "d_model": 4, "h": 2, "d": 2, "d_v": 2, "over": ()},
    ),
    misconceptions=(
        *heads.HEADS,
        *heads.PROJECTIONS,
        heads.output_projection_missing,
        heads.output_transposed,
        heads.residual_added,
        heads.scores_averaged_over_heads,
        scores.scale_by_d_model,
        *masks.APPLIED,
        masks.mask_transposed,
        masks.mask_repeated_in_wrong_order,
        *weights.ATTENTION,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("token", "feature"),
    forbidden=FORBIDDEN,
)
