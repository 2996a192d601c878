"""How `grouped-query` is checked."""

from studyattn.attention import STEPS, grouped_query_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import behaviour, heads, scores, weights
from ...shared import FORBIDDEN, unevenly, with_lower_scores
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    b: int,
    h: int,
    h_kv: int,
    m: int,
    n: int,
    d: int,
    d_v: int,
    lowered: float = 0.0,
    uneven: bool = False,
) -> Call:
    """All scores stand `lowered` below zero; `uneven` values are small and large by columns."""
    q = draw.array(b, h, m, d, sharp=True)
    k = draw.array(b, h_kv, n, d, sharp=True)
    v = draw.array(b, h_kv, n, d_v)
    if lowered:
        q, k = with_lower_scores(q, k, lowered)
    return Call("grouped_query_attention", (q, k, unevenly(v) if uneven else v))


SIZES = {"b": 2, "h": 6, "h_kv": 3, "m": 4, "n": 5, "d": 7, "d_v": 8}

drill = Drill(
    id="grouped-query",
    reference={"grouped_query_attention": grouped_query_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", b=3, h=8, h_kv=2, m=5, n=6, d=3, d_v=2),
        case("as many queries as keys", b=2, h=4, h_kv=2, m=5, n=5, d=3, d_v=3),
        case("three queries a key head", b=2, h=6, h_kv=2, m=4, n=5, d=3, d_v=4),
        case("one key head for all", b=2, h=4, h_kv=1, m=3, n=5, d=4, d_v=2),
        case("one head", b=1, h=1, h_kv=1, m=4, n=5, d=3, d_v=2),
        case("a key head for each", b=2, h=3, h_kv=3, m=4, n=5, d=3, d_v=2),
        case("many heads", b=1, h=24, h_kv=12, m=2, n=3, d=66, d_v=70),
        case("batch = query heads", b=4, h=4, h_kv=2, m=3, n=5, d=3, d_v=2),
        case("more queries than keys", b=2, h=4, h_kv=2, m=7, n=3, d=4, d_v=5),
        case("batch = key heads", b=2, h=4, h_kv=2, m=3, n=4, d=5, d_v=3),
        case("one query", b=1, h=4, h_kv=2, m=1, n=6, d=3, d_v=2),
        case("one key", b=2, h=4, h_kv=2, m=3, n=1, d=3, d_v=2),
        case("large scores", spread=100.0, b=2, h=4, h_kv=2, m=3, n=5, d=4, d_v=3),
        case(
            "scores far below zero",
            dtype="float64",
            b=1,
            h=4,
            h_kv=2,
            m=3,
            n=5,
            d=4,
            d_v=3,
            lowered=2e6,
        ),
        case(
            "values large and small",
            dtype="float64",
            b=1,
            h=4,
            h_kv=2,
            m=4,
            n=6,
            d=3,
            d_v=3,
            uneven=True,
        ),
        case("more than a thousand keys", b=1, h=4, h_kv=2, m=2, n=1030, d=3, d_v=2),
        case("many queries and keys", b=1, h=4, h_kv=2, m=67, n=67, d=3, d_v=2),
        case("tiny weights", dtype="float64", spread=3.5, b=1, h=2, h_kv=1, m=6, n=20, d=5, d_v=3),
        case("odd sizes", b=3, h=15, h_kv=5, m=7, n=11, d=9, d_v=3),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, b=2, h=4, h_kv=2, m=3, n=4, d=5, d_v=3),
        case(
            "gradients",
            gradients=True,
            dtype="float64",
            b=1,
            h=4,
            h_kv=2,
            m=2,
            n=2,
            d=2,
            d_v=1,
        ),
    ),
    small=(
        {"b": 1, "h": 4, "h_kv": 2, "m": 1, "n": 1, "d": 1, "d_v": 1},
        {"b": 1, "h": 4, "h_kv": 2, "m": 1, "n": 2, "d": 2, "d_v": 1},
        {"b": 1, "h": 4, "h_kv": 2, "m": 2, "n": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        heads.groups_tiled,
        heads.groups_first_only,
        heads.groups_averaged,
        heads.groups_tiled_once,
        heads.groups_queries_averaged,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    forbidden=FORBIDDEN,
)
