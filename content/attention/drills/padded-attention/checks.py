"""The checks of `padded-attention`."""

from dataclasses import replace
from typing import Any

import numpy as np

from studyattn.attention import STEPS, padded_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, given
from studyattn.grading.space import Excluded

from ...conditions import MORE_QUERIES, TOKENS, attention_space, by_keyword, gradients_space
from ...misconceptions import behaviour, masks, scores, weights
from ...probes import LENGTHS, QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, HUGE, queries_keys_values
from ...variants import ROUNDED_ROOT

LONG = {"m": 2, "n": 2310, "of": "all but one"}
"""A length and places that half precision rounds."""


def ask(
    draw: Draw,
    *,
    b: int,
    n: int,
    of: str = "drawn",
    counted: str = "int64",
    last: int = 0,
    **sizes: Any,
) -> Call:
    """`of` says which lengths the sequences have, as numbers of the dtype `counted`.

    With `last`, the first sequence has so many keys, and all its queries look at the last of them.
    """
    lengths = np.array(draw.lengths(b, n).values)
    match of:
        case "one empty":
            lengths[b // 2] = 0
        case "empty":
            lengths[:] = 0
        case "full":
            lengths[:] = n
        case "all but one":
            lengths[:] = n
            lengths[-1] = n - 1
        case "one":
            lengths[:] = 1
    arrays = queries_keys_values(draw, batch=(b,), n=n, **sizes)
    if last:
        lengths[0] = last
        q, k, v = (array.values[0] for array in arrays)
        q[:], k[:], v[last - 1] = 3.5, 0.0, 4.0
        k[last - 1] = 3.5
    counts = replace(given(lengths), dtype=counted, layout=draw.case.layout)
    return Call("padded_attention", (*arrays, counts))


drill = Drill(
    id="padded-attention",
    reference={"padded_attention": padded_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, **MORE_QUERIES, "more than 2,048 keys": LONG},
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=(
                    "strided in memory",
                    "permuted as by split_heads",
                    "expanded along the first axis",
                ),
                batch="one sequence",
            ),
            batch={
                "several sequences": {"b": 3},
                "one sequence": {"b": 1},
                "as many sequences as tokens": {"b": 5},
            },
            lengths={
                "drawn lengths": {},
                "a sequence of only padding": {"of": "one empty"},
                "padding alone": {"of": "empty"},
                "no padding": {"of": "full"},
                "one key is padding": {"of": "all but one"},
                "one key, not padding": {"of": "one"},
            },
            counted={"int64 lengths": {}, "int32 lengths": {"counted": "int32"}},
            passed=by_keyword("lengths"),
        ),
        gradients_space(
            {
                "drawn lengths": {"b": 2, "m": 2, "n": 3, "d": 1, "d_v": 1},
                "with only padding": {"b": 2, "m": 2, "n": 2, "d": 2, "d_v": 1, "of": "one empty"},
            },
            large={"b": 12, "m": 2, "n": 4, "d": 2, "d_v": 1},
        ),
    ),
    cases=(
        case("huge scores, one key", **HUGE, b=32, m=3, n=2, d=4, d_v=3),
        *(
            case(
                f"the last of {last:,} keys in half precision",
                dtype=dtype,
                last=last,
                b=1,
                m=2,
                n=last + 9,
                d=1,
                d_v=1,
            )
            for dtype, last in (("bfloat16", 257), ("float16", 2049))
        ),
        case("the same call twice", twice=True, b=3, m=5, n=4, d=6, d_v=3),
    ),
    probes=(*QUERIES_KEYS_VALUES, *LENGTHS),
    unasked={
        "*gradient of lengths*": "integers have no gradient",
    },
    small=(
        {"b": 1, "m": 1, "n": 2, "d": 2, "d_v": 1},
        {"b": 1, "m": 2, "n": 2, "d": 2, "d_v": 2},
        {"b": 2, "m": 2, "n": 3, "d": 1, "d_v": 1},
        {"b": 2, "m": 2, "n": 2, "d": 2, "d_v": 2, "of": "one empty"},
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
        *behaviour.of("padding-mask"),
    ),
    variants=(ROUNDED_ROOT,),
    told_as={"last": ""},
    axes=("batch", "query", "value"),
    forbidden=FORBIDDEN,
)
