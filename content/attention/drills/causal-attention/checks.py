"""How `causal-attention` is checked."""

from studyattn.attention import STEPS, causal_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, case

from ...misconceptions import behaviour, masks, scores, weights
from ...shared import (
    EXTREMES,
    FORBIDDEN,
    HUGE,
    SMALL,
    STANDARD,
    queries_keys_values,
    tokens,
)
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, **sizes: int) -> Call:
    return Call("causal_attention", queries_keys_values(draw, **sizes))


drill = Drill(
    id="causal-attention",
    reference={"causal_attention": causal_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        *STANDARD,
        *EXTREMES,
        case("huge scores of few keys", **HUGE, batch=(8, 8), m=3, n=3, d=4, d_v=3),
        case("many more keys than queries", m=2, n=9, d=3, d_v=4),
        case("one token", m=1, n=1, d=2, d_v=3),
        case("gradients of a square", gradients=True, dtype="float64", m=3, n=3, d=2, d_v=2),
    ),
    small=(*SMALL, {"m": 3, "n": 3, "d": 2, "d_v": 1}),
    misconceptions=(
        masks.mask_missing,
        masks.mask_top_left,
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
        *behaviour.BEHAVIOUR,
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
