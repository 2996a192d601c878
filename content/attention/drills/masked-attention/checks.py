"""How `masked-attention` is checked."""

import numpy as np

from studyattn.attention import STEPS, masked_attention
from studyattn.grading.call_plan import ArrayInput, Call
from studyattn.grading.drill import Draw, Drill, case, given

from ...misconceptions import behaviour, masks, scores, weights
from ...shared import (
    EXTREMES,
    FORBIDDEN,
    HUGE,
    MORE_QUERIES,
    SIZES,
    STANDARD,
    one_unlike,
    queries_keys_values,
)
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    over: tuple[int, ...] | None = None,
    for_all_queries: bool = False,
    empty: bool = False,
    for_all_keys: bool = False,
    everywhere: bool | None = None,
    unlike: tuple[int, bool] | None = None,
    **sizes: int,
) -> Call:
    """The mask's leading axes are `over`, or the batch.

    With `empty`, a row of each but of the first batch entry may attend to nothing; `everywhere` is
    what all of the mask says, `unlike` the one place that says otherwise, and what it says.
    """
    over = sizes.get("batch", ()) if over is None else over
    m, n = 1 if for_all_queries else sizes["m"], 1 if for_all_keys else sizes["n"]
    mask = draw.mask(*over, m, n)
    if empty:
        mask = _with_empty_rows(draw, mask)
    if for_all_keys:
        mask = given(np.arange(m)[:, None] % 2 == 0)
    if everywhere is not None:
        mask = given(np.full(mask.values.shape, everywhere))
    if unlike is not None:
        mask = one_unlike(mask.values.shape, unlike[0], says=unlike[1])
    return Call("masked_attention", (*queries_keys_values(draw, **sizes), mask))


def _with_empty_rows(draw: Draw, mask: ArrayInput) -> ArrayInput:
    """One row at random is empty, in each batch entry after the first where there are any."""
    allowed = np.array(mask.values)
    rows = draw.generator.integers(0, allowed.shape[-2], allowed.shape[:-2])
    emptied = allowed[1:] if rows.ndim else allowed
    np.put_along_axis(
        emptied, (rows[1:] if rows.ndim else rows)[..., None, None], values=False, axis=-2
    )
    return given(allowed)


drill = Drill(
    id="masked-attention",
    reference={"masked_attention": masked_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        *STANDARD,
        *EXTREMES,
        *MORE_QUERIES,
        case("a row that may attend to nothing", empty=True, **SIZES),
        case("everything allowed", everywhere=True, zeros=True, m=4, n=4, d=3, d_v=2),
        case("nothing allowed", everywhere=False, batch=(2,), m=3, n=4, d=3, d_v=2),
        case("the same mask for the batch", over=(1, 3), **SIZES),
        case("the same mask for the heads", over=(2, 1), **SIZES),
        case("the same mask for batch and heads", over=(), **SIZES),
        case("a mask without the first axis", over=(3,), **{**SIZES, "batch": (3, 3)}),
        case("the same mask for all queries", for_all_queries=True, **SIZES),
        case("the same mask for all keys", for_all_keys=True, over=(), **SIZES),
        case("all but the first pair allowed", unlike=(0, False), **SIZES),
        case("all but the last pair allowed", unlike=(-1, False), **SIZES),
        case("one pair allowed", unlike=(7, True), **SIZES),
        case("huge scores, one key", **HUGE, batch=(8, 8), m=2, n=2, d=4, d_v=3),
        case("an empty row and large scores", spread=100.0, empty=True, m=4, n=5, d=3, d_v=2),
        case("one square mask, as long as the batch", over=(), batch=(5,), m=5, n=5, d=4, d_v=3),
        case(
            "gradients past an empty row",
            gradients=True,
            dtype="float64",
            empty=True,
            m=4,
            n=5,
            d=2,
            d_v=2,
        ),
    ),
    small=(
        {"m": 1, "n": 2, "d": 2, "d_v": 1},
        {"m": 2, "n": 2, "d": 2, "d_v": 2},
        {"m": 2, "n": 3, "d": 2, "d_v": 2},
        {"m": 2, "n": 2, "d": 2, "d_v": 1, "empty": True},
        {"batch": (2, 2), "m": 2, "n": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        *masks.APPLIED,
        masks.mask_transposed,
        masks.mask_on_queries,
        masks.mask_first_batch,
        masks.mask_first_row,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    forbidden=FORBIDDEN,
)
