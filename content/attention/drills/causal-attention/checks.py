"""The checks of `causal-attention`."""

from studyattn.attention import STEPS, causal_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, case

from ...conditions import (
    GRADIENTS_OF_ATTENTION,
    LARGE_GRADIENTS,
    TOKENS,
    attention_space,
    gradients_space,
)
from ...misconceptions import behaviour, masks, scores, weights
from ...probes import QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, HUGE, SMALL, queries_keys_values, tokens
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, **sizes: int) -> Call:
    return Call("causal_attention", queries_keys_values(draw, **sizes))


drill = Drill(
    id="causal-attention",
    reference={"causal_attention": causal_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, "many more keys than queries": {"m": 2, "n": 9}},
        ),
        gradients_space(GRADIENTS_OF_ATTENTION, large=LARGE_GRADIENTS),
    ),
    cases=(
        case("huge scores, few keys", **HUGE, batch=(8, 8), m=3, n=3, d=4, d_v=3),
        case("the same call twice", twice=True, batch=(3, 2), m=4, n=5, d=6, d_v=3),
    ),
    probes=tuple(each for each in QUERIES_KEYS_VALUES if not each.name.startswith("q longer")),
    unasked={"m > n": "the queries are the last positions of the keys"},
    small=(*SMALL, {"m": 3, "n": 3, "d": 2, "d_v": 1}),
    misconceptions=(
        masks.mask_missing,
        masks.mask_top_left,
        masks.mask_offset_reversed,
        masks.mask_window,
        masks.mask_future_only,
        masks.mask_inverted,
        masks.mask_excludes_self,
        masks.mask_sees_next,
        masks.mask_square_only,
        masks.mask_transposed,
        masks.mask_after_softmax,
        masks.mask_multiplied,
        masks.mask_added_raw,
        masks.mask_fill_too_small,
        masks.mask_hidden_in_softmax,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("causal-mask"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    growth=Growth(
        counts="tokens",
        sizes=tokens,
        contrasts=(Contrast("linear attention", "causal-linear-attention"),),
    ),
    forbidden=FORBIDDEN,
)
