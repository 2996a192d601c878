"""The checks of `masked-attention`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import STEPS, masked_attention
from studyattn.grading.call_plan import ArrayInput, Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import (
    LARGE_GRADIENTS,
    MORE_QUERIES,
    TOKENS,
    attention_space,
    by_keyword,
    gradients_space,
)
from ...misconceptions import behaviour, masks, scores, weights
from ...probes import MASKS, QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, HUGE, one_unlike, queries_keys_values
from ...variants import ROUNDED_ROOT

FEW = {"m": 4, "n": 5, "d": 3, "d_v": 2}


def ask(draw: Draw, *, form: str = "each", says: str = "some", **sizes: Any) -> Call:
    """The mask has the `form` of its axes, and `says` which pairs may meet."""
    mask = _mask(draw, form, says, sizes.get("batch", ()), sizes["m"], sizes["n"])
    return Call("masked_attention", (*queries_keys_values(draw, **sizes), mask))


def _mask(draw: Draw, form: str, says: str, batch: tuple[int, ...], m: int, n: int) -> ArrayInput:
    over = {
        "all": (),
        "first": (1, *batch[1:]),
        "last": (*batch[:-1], 1),
        "short": batch[1:],
    }.get(form, batch)
    mask = draw.mask(*over, 1 if form == "queries" else m, 1 if form == "keys" else n)
    allowed = np.array(mask.values)
    if form == "keys":
        allowed = draw.mask(*over, n, m).values.swapaxes(-1, -2)[..., :1]
    match says:
        case "a row":
            allowed = _with_an_empty_row(draw, allowed)
        case "nothing" | "everything":
            allowed = np.full(allowed.shape, says == "everything")
        case "not the first" | "not the last":
            allowed = np.array(
                one_unlike(allowed.shape, 0 if "first" in says else -1, says=False).values
            )
        case "one":
            allowed = np.array(one_unlike(allowed.shape, allowed.size // 2, says=True).values)
    return with_values(mask, allowed)


def _with_an_empty_row(draw: Draw, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """One row at random is empty, in each batch entry after the first where there are any."""
    emptied = allowed[1:] if allowed.ndim > 2 and len(allowed) > 1 else allowed
    rows = draw.generator.integers(0, allowed.shape[-2], emptied.shape[:-2])
    np.put_along_axis(emptied, rows[..., None, None], values=False, axis=-2)
    return allowed


drill = Drill(
    id="masked-attention",
    reference={"masked_attention": masked_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, **MORE_QUERIES},
            Excluded(
                "there are no such axes to share",
                batch="no batch",
                mask=(
                    "for all of the first axis",
                    "for all of the last axis",
                    "without the first axis",
                ),
            ),
            Excluded(
                "a mask for all queries or all keys has no separate rows or entries",
                mask=("for all queries", "for all keys"),
                says=(
                    "a row hides everything",
                    "all but the first pair",
                    "all but the last pair",
                    "one pair",
                ),
            ),
            mask={
                "for each": {},
                "for all": {"form": "all"},
                "for all of the first axis": {"form": "first"},
                "for all of the last axis": {"form": "last"},
                "without the first axis": {"form": "short"},
                "for all queries": {"form": "queries"},
                "for all keys": {"form": "keys"},
            },
            says={
                "some pairs": {},
                "a row hides everything": {"says": "a row"},
                "nothing allowed": {"says": "nothing"},
                "everything allowed": {"says": "everything"},
                "all but the first pair": {"says": "not the first"},
                "all but the last pair": {"says": "not the last"},
                "one pair": {"says": "one"},
            },
            passed=by_keyword("mask"),
        ),
        gradients_space(
            {
                "a batch": {"batch": (2,), "m": 2, "n": 3, "d": 2, "d_v": 1},
                "with an empty row": {"m": 3, "n": 3, "d": 2, "d_v": 1, "says": "a row"},
            },
            large=LARGE_GRADIENTS,
        ),
    ),
    cases=(
        case("huge scores, one key", **HUGE, batch=(8, 8), m=2, n=2, d=4, d_v=3),
        case("a mask without the first of two equal axes", form="short", batch=(3, 3), **FEW),
        case("one square mask, as long as the batch", form="all", batch=(5,), m=5, n=5, d=4, d_v=3),
        case("the same call twice", twice=True, batch=(3, 2), m=4, n=5, d=6, d_v=3),
    ),
    probes=(*QUERIES_KEYS_VALUES, *MASKS),
    small=(
        {"m": 1, "n": 2, "d": 2, "d_v": 1},
        {"m": 2, "n": 2, "d": 2, "d_v": 2},
        {"m": 2, "n": 3, "d": 2, "d_v": 2},
        {"m": 2, "n": 2, "d": 2, "d_v": 1, "says": "a row"},
        {"batch": (2, 2), "m": 1, "n": 2, "d": 1, "d_v": 1},
    ),
    misconceptions=(
        *masks.APPLIED,
        masks.mask_transposed,
        masks.mask_on_queries,
        masks.mask_first_batch,
        masks.mask_first_row,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("masking"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    forbidden=FORBIDDEN,
)
