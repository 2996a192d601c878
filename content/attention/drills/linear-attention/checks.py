"""How `linear-attention` is checked."""

from studyattn.attention import linear_attention
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, case
from studyattn.grading.program import Call

from ...misconceptions import behaviour, efficient, weights
from ...shared import (
    FORBIDDEN,
    LOWERED,
    MORE_QUERIES,
    SMALL,
    STANDARD,
    below_zero,
    queries_keys_values,
    tokens,
)


def ask(draw: Draw, *, by: float = 0.0, **sizes: int) -> Call:
    q, k, v = queries_keys_values(draw, **sizes)
    return Call("linear_attention", (below_zero(q, by), below_zero(k, by), v))


drill = Drill(
    id="linear-attention",
    reference={"linear_attention": linear_attention},
    ask=ask,
    cases=(
        *(entry for entry in STANDARD if entry.spread == 1 and entry is not LOWERED),
        case("tiny features", dtype="float64", m=4, n=6, d=3, d_v=2, by=5.0),
        *MORE_QUERIES,
        case("cost", costed=True, m=256, n=256, d=4, d_v=4),
    ),
    small=SMALL,
    misconceptions=(
        *efficient.LINEAR,
        weights.keys_are_values,
        weights.values_are_keys,
        weights.query_key_swapped,
        *behaviour.BEHAVIOUR,
    ),
    axes=("batch", "head", "query", "value"),
    growth=Growth(counts="tokens", sizes=tokens, contrasts=(Contrast("quadratic order"),)),
    slack=8.0,  # elu(x) + 1 cancels digits where x is negative
    limit=Limit(
        efficient.linear_quadratic,
        flops=lambda sizes: 40 * sizes["n"] * sizes["d"] * sizes["d_v"],
        largest_array=lambda sizes: sizes["m"] * sizes["n"] // 4,
    ),
    forbidden=FORBIDDEN,
)
