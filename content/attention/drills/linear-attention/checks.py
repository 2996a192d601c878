"""The checks of `linear-attention`."""

from collections.abc import Mapping
from typing import Any

from studyattn.attention import STEPS, linear_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, Measured, case

from ...conditions import (
    FEATURES,
    GRADIENTS_OF_ATTENTION,
    LARGE_FEATURES,
    MORE_QUERIES,
    TOKENS,
    attention_space,
    gradients_space,
)
from ...misconceptions import behaviour, linear, scores
from ...probes import QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, SMALL, queries_keys_values_for_features, tokens
from ...variants import EPSILON_ADDED

QUADRATIC = 0.85
"""The power of the number of pairs from which on work grows with it: n^1.7, as the limit has it."""


def ask(draw: Draw, **sizes: int) -> Call:
    return Call("linear_attention", queries_keys_values_for_features(draw, **sizes))


def is_quadratic(measured: Measured) -> bool:
    """Return whether a matrix of queries by keys was made, or work done that grows like one."""

    def pairs(sizes: Mapping[str, Any]) -> int:
        return int(sizes["m"] * sizes["n"])

    if any(usage.largest_array >= pairs(sizes) for sizes, usage in measured):
        return True
    wide = [(pairs(sizes), usage.flops) for sizes, usage in measured if sizes["d"] == 4]
    (few, at_few), (many, at_many) = min(wide), max(wide)
    return many > few and at_many >= at_few * (many / few) ** QUADRATIC


drill = Drill(
    id="linear-attention",
    reference={"linear_attention": linear_attention},
    steps=STEPS,
    ask=ask,
    spaces=(
        attention_space({**TOKENS, **MORE_QUERIES}, values=FEATURES),
        gradients_space(GRADIENTS_OF_ATTENTION, large={"m": 3, **LARGE_FEATURES}),
    ),
    cases=(
        case("the same call twice", twice=True, batch=(3, 2), m=4, n=5, d=6, d_v=3),
        case("cost", costed=True, m=256, n=256, d=4, d_v=4),
        case("cost of few tokens", costed=True, m=16, n=16, d=2, d_v=2),
        case("cost of fewer queries than keys", costed=True, m=256, n=512, d=4, d_v=4),
        case("cost of more tokens", costed=True, m=1024, n=1024, d=4, d_v=4),
    ),
    probes=tuple(each for each in QUERIES_KEYS_VALUES if not each.name.startswith("a score")),
    small=SMALL,
    misconceptions=(
        *linear.LINEAR,
        linear.linear_feature_map_on_one_side,
        linear.linear_divided_by_count,
        scores.keys_are_values,
        scores.values_are_keys,
        scores.query_key_swapped,
        *behaviour.of("linear-attention"),
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
        claim=is_quadratic,
    ),
    forbidden=FORBIDDEN,
)
