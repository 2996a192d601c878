"""How `multi-head-attention` is checked."""

import numpy as np

from studyattn.attention import multi_head_attention
from studyattn.grading.drill import Draw, Drill, case, given
from studyattn.grading.program import Call, Layout

from ...misconceptions import behaviour, heads, masks, weights
from ...shared import FORBIDDEN, projections


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
    empty: bool = False,
    for_all_queries: bool = False,
    everywhere: bool = False,
) -> Call:
    """`over` are the mask's leading axes, None for no mask; `empty` rows may attend to nothing.

    A mask has two axes or four: three could be read as of a batch entry or of a head.
    """
    x = draw.array(*batch, n, d_model, sharp=True)
    arrays = (x, *projections(draw, d_model=d_model, h=h, d=d, d_v=d_v), h)
    if over is None:
        return Call("multi_head_attention", arrays)
    mask = draw.mask(*over, 1 if for_all_queries else n, n)
    if everywhere:
        mask = given(np.ones(mask.values.shape, bool))
    if empty:
        allowed = np.array(mask.values)
        allowed[..., 0, :] = False
        mask = given(allowed)
    return Call("multi_head_attention", (*arrays, mask))


SIZES = {"batch": (2,), "n": 5, "d_model": 6, "h": 3, "d": 4, "d_v": 7}

drill = Drill(
    id="multi-head-attention",
    reference={"multi_head_attention": multi_head_attention},
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
        case("two batch axes", batch=(2, 3), n=4, d_model=6, h=2, d=3, d_v=3),
        case("one token", batch=(2,), n=1, d_model=4, h=2, d=2, d_v=2),
        case("one head", batch=(2,), n=4, d_model=4, h=1, d=4, d_v=4),
        case(
            "very large scores, one key",
            spread=200.0,
            over=(16, 1),
            batch=(16,),
            n=2,
            d_model=6,
            h=3,
            d=2,
            d_v=2,
        ),
        case("large scores", spread=100.0, batch=(2,), n=5, d_model=6, h=3, d=2, d_v=2),
        case("a mask for all", over=(), dtype="float64", **SIZES),
        case("a mask for each batch entry", over=(2, 1), **SIZES),
        case("a mask with axes for batch and heads", over=(1, 1), **SIZES),
        case("a mask of keys alone", over=(2, 1), for_all_queries=True, **SIZES),
        case("a mask that allows everything", over=(), everywhere=True, **SIZES),
        case("a long sequence", batch=(1,), n=67, d_model=4, h=1, d=33, d_v=3),
        case("a row that may attend to nothing", over=(), empty=True, **SIZES),
        case("odd sizes", batch=(3,), n=11, d_model=9, h=5, d=7, d_v=3),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(2,), n=4, d_model=6, h=2, d=3, d_v=3),
        case(
            "gradients", gradients=True, dtype="float64", n=5, d_model=4, h=2, d=2, d_v=2, over=()
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
        weights.scale_by_d_model,
        *masks.APPLIED,
        masks.mask_transposed,
        masks.mask_repeated_in_wrong_order,
        *weights.ATTENTION,
        *behaviour.BEHAVIOUR,
    ),
    axes=("token", "feature"),
    forbidden=FORBIDDEN,
)
