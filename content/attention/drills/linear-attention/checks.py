"""How `linear-attention` is checked."""

from studyattn.attention import STEPS, linear_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, case

from ...misconceptions import behaviour, linear, scores
from ...shared import (
    BATCHES,
    FORBIDDEN,
    LOWERED,
    MANY_KEYS,
    MORE_QUERIES,
    SMALL,
    STANDARD,
    UNEVEN,
    queries_keys_values_for_features,
    tokens,
)
from ...variants import EPSILON_ADDED


def ask(draw: Draw, **sizes: int) -> Call:
    return Call("linear_attention", queries_keys_values_for_features(draw, **sizes))


drill = Drill(
    id="linear-attention",
    reference={"linear_attention": linear_attention},
    steps=STEPS,
    ask=ask,
    cases=(
        *(entry for entry in STANDARD if entry.spread == 1 and entry is not LOWERED),
        case("tiny features", dtype="float64", m=4, n=2, d=2, d_v=3, tiny=True),
        case("wide features", dtype="float64", spread=1e3, m=4, n=6, d=4, d_v=2, wide=True),
        case("many features", m=3, n=4, d=66, d_v=70),
        MANY_KEYS,
        BATCHES,
        UNEVEN,
        *MORE_QUERIES,
        case("cost", costed=True, m=256, n=256, d=4, d_v=4),
        case("cost of more tokens", costed=True, m=1024, n=1024, d=4, d_v=4),
    ),
    small=SMALL,
    misconceptions=(
        *linear.LINEAR,
        linear.linear_feature_map_on_one_side,
        linear.linear_divided_by_count,
        scores.keys_are_values,
        scores.values_are_keys,
        scores.query_key_swapped,
        *behaviour.BEHAVIOUR,
    ),
    variants=(EPSILON_ADDED,),
    axes=("batch", "head", "query", "value"),
    growth=Growth(counts="tokens", sizes=tokens, contrasts=(Contrast("quadratic order"),)),
    slack=8.0,  # elu(x) + 1 cancels digits where x is negative
    limit=Limit(
        linear.linear_quadratic,
        flops=lambda sizes: 40 * sizes["n"] * sizes["d"] * sizes["d_v"],
        largest_array=lambda sizes: sizes["m"] * sizes["n"] // 4,
        grows_with=lambda sizes: int(sizes["n"]),
    ),
    forbidden=FORBIDDEN,
)
