"""How `padded-attention` is checked."""

from typing import Any

import numpy as np

from studyattn.attention import STEPS, padded_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, given

from ...misconceptions import behaviour, masks, scores, weights
from ...shared import FAR_BELOW, FORBIDDEN, HUGE, queries_keys_values
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    b: int,
    n: int,
    second: int | None = None,
    others: int | None = None,
    **sizes: Any,
) -> Call:
    """`second` is the length of the second batch entry, `others` that of all others, if given."""
    lengths = np.array(draw.lengths(b, n).values)
    if others is not None:
        lengths[:] = others
    if second is not None:
        lengths[1] = second
    arrays = queries_keys_values(draw, batch=(b,), n=n, **sizes)
    return Call("padded_attention", (*arrays, given(lengths)))


SIZES = {"b": 3, "m": 4, "n": 5, "d": 6, "d_v": 7}

drill = Drill(
    id="padded-attention",
    reference={"padded_attention": padded_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", b=2, m=5, n=7, d=3, d_v=4),
        case("float64, tiny weights", dtype="float64", spread=3.5, b=2, m=6, n=30, d=5, d_v=3),
        case("as many queries as keys", b=4, m=6, n=6, d=5, d_v=5),
        case("as many batch entries as queries and keys", b=4, m=4, n=4, d=3, d_v=3),
        case("one batch entry", b=1, m=3, n=6, d=2, d_v=4),
        case("one query", b=4, m=1, n=6, d=3, d_v=4),
        case("one key", b=2, m=4, n=1, d=3, d_v=5),
        case("nothing but padding", second=0, **SIZES),
        case("nothing but padding anywhere", second=0, others=0, b=2, m=3, n=4, d=3, d_v=2),
        case("no padding", others=5, **SIZES),
        case("one key is padding", second=4, others=5, **SIZES),
        case("one key is none", others=1, b=2, m=3, n=9, d=4, d_v=2),
        case("many keys, many features", second=131, b=2, m=3, n=131, d=130, d_v=5),
        case("many queries", dtype="float64", b=2, m=130, n=67, d=3, d_v=2),
        case(
            "more than a thousand keys", dtype="float64", others=1030, b=2, m=2, n=1030, d=3, d_v=2
        ),
        case("huge scores, one key", **HUGE, b=32, m=3, n=2, d=4, d_v=3),
        case("large scores", spread=100.0, b=3, m=5, n=6, d=4, d_v=3),
        case("huge scores", **HUGE, b=4, m=5, n=6, d=4, d_v=3),
        case("scores far below zero", **FAR_BELOW, others=6, b=2, m=4, n=6, d=5, d_v=3),
        case("values large and small", dtype="float64", b=2, m=4, n=6, d=3, d_v=3, uneven=True),
        case("zeros among the vectors", others=6, b=3, m=5, n=6, d=4, d_v=3, zeros=True),
        case("more queries than keys", b=2, m=9, n=4, d=3, d_v=2),
        case("odd sizes", b=5, m=17, n=13, d=11, d_v=9),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, b=3, m=5, n=4, d=6, d_v=3),
        case("gradients", gradients=True, dtype="float64", b=2, m=2, n=3, d=2, d_v=2),
        case(
            "gradients past padding alone",
            gradients=True,
            dtype="float64",
            second=0,
            b=2,
            m=2,
            n=3,
            d=2,
            d_v=2,
        ),
    ),
    small=(
        {"b": 1, "m": 1, "n": 2, "d": 2, "d_v": 1},
        {"b": 1, "m": 2, "n": 2, "d": 2, "d_v": 2},
        {"b": 2, "m": 2, "n": 3, "d": 2, "d_v": 1},
        {"b": 2, "m": 2, "n": 2, "d": 2, "d_v": 2, "second": 0},
    ),
    misconceptions=(
        *masks.APPLIED,
        masks.padding_on_queries,
        masks.mask_first_batch,
        masks.padding_off_by_one,
        masks.padding_on_the_left,
        masks.padding_never_empty,
        masks.padding_one_length,
        masks.padding_queries_zeroed,
        masks.mask_batch_as_heads,
        *weights.WITHOUT_HEADS,
        *scores.SCALE_BY_LENGTH,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "query", "value"),
    forbidden=FORBIDDEN,
)
