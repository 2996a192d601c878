"""The checks of `grouped-query`."""

from typing import Any

from studyattn.attention import STEPS, grouped_query_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import MORE_QUERIES, TOKENS, attention_space, gradients_space
from ...misconceptions import behaviour, groups, scores, weights
from ...probes import QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, queries_keys_values
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, *, b: int, h: int, h_kv: int, **sizes: Any) -> Call:
    """Keys and values have `h_kv` heads of their own."""
    q, k, v = queries_keys_values(draw, batch=(b, h), **sizes)
    if h_kv == h:
        return Call("grouped_query_attention", (q, k, v))
    k, v = (with_values(array, array.values[:, :h_kv]) for array in (k, v))
    return Call("grouped_query_attention", (q, k, v))


drill = Drill(
    id="grouped-query",
    reference={"grouped_query_attention": grouped_query_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, **MORE_QUERIES},
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
                "four queries per key head": {"h": 8, "h_kv": 2},
                "one key head for all": {"h": 4, "h_kv": 1},
                "one key head for each query head": {"h": 3, "h_kv": 3},
                "one head": {"h": 1, "h_kv": 1},
                "odd numbers of heads": {"h": 9, "h_kv": 3},
                "many heads": {"b": 1, "h": 132, "h_kv": 66, "m": 2, "n": 3, "d": 2, "d_v": 1},
                "many key heads": {"b": 1, "h": 132, "h_kv": 132, "m": 2, "n": 3, "d": 2, "d_v": 1},
            },
        ),
        gradients_space(
            {
                "two queries per key head": {
                    "b": 1,
                    "h": 4,
                    "h_kv": 2,
                    "m": 2,
                    "n": 2,
                    "d": 1,
                    "d_v": 1,
                },
                "one key head": {"b": 2, "h": 2, "h_kv": 1, "m": 1, "n": 2, "d": 2, "d_v": 1},
            },
            large={"b": 2, "h": 4, "h_kv": 2, "m": 2, "n": 3, "d": 2, "d_v": 1},
        ),
    ),
    cases=(
        case("all sizes different", b=2, h=6, h_kv=3, m=4, n=5, d=7, d_v=8),
        case("four queries for each of three key heads", b=1, h=12, h_kv=3, m=2, n=3, d=4, d_v=2),
        case("the same call twice", twice=True, b=2, h=4, h_kv=2, m=3, n=4, d=5, d_v=3),
    ),
    probes=QUERIES_KEYS_VALUES,
    unasked={
        "h < h_kv": "h is a multiple of h_kv",
    },
    small=(
        {"b": 1, "h": 4, "h_kv": 2, "m": 1, "n": 1, "d": 1, "d_v": 1},
        {"b": 1, "h": 4, "h_kv": 2, "m": 1, "n": 2, "d": 2, "d_v": 1},
        {"b": 1, "h": 4, "h_kv": 2, "m": 2, "n": 2, "d": 1, "d_v": 1},
    ),
    misconceptions=(
        groups.groups_tiled,
        groups.groups_first_only,
        groups.groups_averaged,
        groups.groups_tiled_once,
        groups.groups_queries_averaged,
        *weights.ATTENTION,
        *weights.UNMASKED,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("grouped-query"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    forbidden=FORBIDDEN,
)
