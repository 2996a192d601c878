"""How `padded-attention` is checked."""

import numpy as np

from studyattn.attention import padded_attention
from studyattn.grading.drill import Draw, Drill, case, given
from studyattn.grading.program import Call, Layout

from ...misconceptions import behaviour, masks, weights
from ...shared import FORBIDDEN, queries_keys_values


def ask(
    draw: Draw, *, b: int, m: int, n: int, d: int, d_v: int, empty: bool = False, full: bool = False
) -> Call:
    """With `empty`, the first batch entry is nothing but padding; with `full`, none has any."""
    lengths = draw.lengths(b, n)
    if empty:
        lengths = given(np.where(np.arange(b) == 0, 0, lengths.values))
    if full:
        lengths = given(np.full(b, n))
    arrays = queries_keys_values(draw, batch=(b,), m=m, n=n, d=d, d_v=d_v)
    return Call("padded_attention", (*arrays, lengths))


SIZES = {"b": 3, "m": 4, "n": 5, "d": 6, "d_v": 7}

drill = Drill(
    id="padded-attention",
    reference={"padded_attention": padded_attention},
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
        case("nothing but padding", empty=True, **SIZES),
        case("no padding", full=True, **SIZES),
        case("many keys", full=True, b=2, m=3, n=131, d=64, d_v=5),
        case("many queries", full=True, b=2, m=66, n=67, d=3, d_v=2),
        case("very large scores, one key", spread=200.0, b=32, m=3, n=2, d=4, d_v=3),
        case("large scores", spread=100.0, b=3, m=5, n=6, d=4, d_v=3),
        case("more queries than keys", b=2, m=7, n=4, d=3, d_v=2),
        case("odd sizes", b=5, m=17, n=13, d=11, d_v=9),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, b=3, m=5, n=4, d=6, d_v=3),
        case("gradients", gradients=True, dtype="float64", b=2, m=2, n=3, d=2, d_v=2),
        case(
            "gradients past padding alone",
            gradients=True,
            dtype="float64",
            empty=True,
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
        {"b": 2, "m": 2, "n": 2, "d": 2, "d_v": 2, "empty": True},
    ),
    misconceptions=(
        *masks.APPLIED,
        masks.mask_on_queries,
        masks.mask_first_batch,
        masks.padding_off_by_one,
        masks.padding_on_the_left,
        masks.mask_batch_as_heads,
        *weights.WITHOUT_HEADS,
        *behaviour.BEHAVIOUR,
    ),
    axes=("batch", "query", "value"),
    forbidden=FORBIDDEN,
)
