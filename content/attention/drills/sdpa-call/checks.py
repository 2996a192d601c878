"""The checks of `sdpa-call`."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from studyattn.attention import STEPS, library_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, Limit, case, given, with_values
from studyattn.grading.space import Excluded

from ...conditions import TOKENS, attention_space, gradients_space
from ...misconceptions import behaviour, groups, library, masks, weights
from ...probes import QUERIES_KEYS_VALUES
from ...shared import queries_keys_values
from ...variants import ROUNDED_ROOT

MADE_BY_HAND = ("multi_head_attention_forward", "MultiheadAttention")
"""What no drill is about."""


def ask(
    draw: Draw,
    *,
    b: int,
    h: int,
    h_kv: int,
    padding: str = "some",
    scale: float | None = None,
    **sizes: Any,
) -> Call:
    """Keys and values have `h_kv` heads of their own; `padding`: some, none, or left in front."""
    q, k, v = queries_keys_values(draw, batch=(b, h), **sizes)
    if h_kv != h:
        k, v = (with_values(array, array.values[:, :h_kv]) for array in (k, v))
    n = k.values.shape[-2]
    real = np.ones((b, n), bool)
    if padding == "some":
        real = np.array(draw.mask(b, n).values)
    elif padding == "left":
        real = np.arange(n) >= np.arange(b)[:, None] % n
    mask = given(real)
    if draw.case.layout in {Layout.TRANSPOSED, Layout.STRIDED}:
        mask = dataclasses.replace(mask, layout=draw.case.layout)
    arguments = (q, k, v, mask)
    return Call("library_attention", arguments if scale is None else (*arguments, scale))


def largest_array(sizes: Mapping[str, Any]) -> int:
    """Less than all scores: repeated keys have room, and a mask for each query of a group."""
    return int(sizes["b"] * sizes["h"] * sizes["m"] * sizes["n"]) * 3 // 4


drill = Drill(
    id="sdpa-call",
    reference={"library_attention": library_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, "many more keys than queries": {"m": 2, "n": 9}},
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout="expanded along the first axis",
                batch="one batch entry",
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout="permuted as by split_heads",
                heads=("one head", "one key head for all"),
            ),
            batch={
                "several batch entries": {"b": 2},
                "one batch entry": {"b": 1},
                "batch = query heads": {"b": 4},
            },
            heads={
                "two queries per key head": {"h": 4, "h_kv": 2},
                "three queries per key head": {"h": 6, "h_kv": 2},
                "one key head for all": {"h": 4, "h_kv": 1},
                "one key head for each query head": {"h": 3, "h_kv": 3},
                "one head": {"h": 1, "h_kv": 1},
            },
            paddings={
                "padding anywhere": {},
                "no padding": {"padding": "none"},
                "padding in front": {"padding": "left"},
            },
            scales={"no scale given": {}, "scale 0.25": {"scale": 0.25}, "scale 1": {"scale": 1.0}},
        ),
        gradients_space(
            {
                "two queries per key head": {
                    "b": 1,
                    "h": 2,
                    "h_kv": 1,
                    "m": 2,
                    "n": 2,
                    "d": 2,
                    "d_v": 1,
                    "padding": "none",
                },
                "padding": {"b": 2, "h": 1, "h_kv": 1, "m": 1, "n": 3, "d": 2, "d_v": 2},
            },
            large={"b": 2, "h": 4, "h_kv": 2, "m": 2, "n": 3, "d": 2, "d_v": 1},
        ),
    ),
    cases=(
        case("all sizes different", b=2, h=6, h_kv=3, m=4, n=5, d=7, d_v=8),
        case("the same call twice", twice=True, b=2, h=4, h_kv=2, m=3, n=4, d=5, d_v=3),
        case(
            "scale by keyword",
            keywords=("scale",),
            scale=2.0,
            b=2,
            h=4,
            h_kv=2,
            m=3,
            n=4,
            d=5,
            d_v=3,
        ),
        case("cost", costed=True, b=1, h=16, h_kv=2, m=64, n=96, d=8, d_v=8),
        case("cost of more keys", costed=True, b=1, h=16, h_kv=2, m=96, n=160, d=8, d_v=8),
    ),
    probes=tuple(each for each in QUERIES_KEYS_VALUES if not each.name.startswith("q longer")),
    unasked={
        "*gradient of real*": "booleans have no gradient",
        "h < h_kv": "h is a multiple of h_kv",
        "m > n": "the queries are the last positions of the keys",
    },
    small=(
        {"b": 1, "h": 1, "h_kv": 1, "m": 1, "n": 2, "d": 1, "d_v": 1, "padding": "none"},
        {"b": 1, "h": 1, "h_kv": 1, "m": 1, "n": 2, "d": 1, "d_v": 1},
        {"b": 1, "h": 1, "h_kv": 1, "m": 2, "n": 2, "d": 1, "d_v": 1, "padding": "none"},
        {"b": 1, "h": 4, "h_kv": 2, "m": 1, "n": 1, "d": 1, "d_v": 1, "padding": "none"},
        {
            "b": 1,
            "h": 1,
            "h_kv": 1,
            "m": 1,
            "n": 2,
            "d": 2,
            "d_v": 1,
            "padding": "none",
            "scale": 2.0,
        },
        {"b": 1, "h": 4, "h_kv": 2, "m": 1, "n": 2, "d": 1, "d_v": 1, "padding": "none"},
    ),
    misconceptions=(
        *library.OF_LIBRARY,
        masks.mask_top_left,
        masks.mask_square_only,
        masks.mask_excludes_self,
        masks.mask_sees_next,
        masks.mask_future_only,
        masks.mask_added_raw,
        masks.mask_nan_rows,
        masks.mask_empty_rows_uniform,
        masks.mask_on_queries,
        masks.mask_batch_as_heads,
        groups.groups_tiled,
        groups.groups_first_only,
        groups.groups_averaged,
        *weights.SCALE,
        *behaviour.of("pytorch-attention"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    limit=Limit(library.sdpa_by_hand, largest_array=largest_array),
    forbidden=MADE_BY_HAND,
    backends=("torch",),
)
