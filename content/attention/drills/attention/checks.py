"""The checks of `attention`."""

from studyattn.attention import STEPS, attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, case

from ...conditions import (
    GRADIENTS_OF_ATTENTION,
    LARGE_GRADIENTS,
    MORE_QUERIES,
    TOKENS,
    attention_space,
    gradients_space,
)
from ...misconceptions import behaviour, scores, weights
from ...probes import QUERIES_KEYS_VALUES
from ...shared import (
    FORBIDDEN,
    SMALL,
    queries_keys_values,
    tokens,
)
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, **sizes: int) -> Call:
    return Call("attention", queries_keys_values(draw, **sizes))


drill = Drill(
    id="attention",
    reference={"attention": attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space({**TOKENS, **MORE_QUERIES}),
        gradients_space(GRADIENTS_OF_ATTENTION, large=LARGE_GRADIENTS),
    ),
    cases=(case("the same call twice", twice=True, batch=(3, 2), m=4, n=5, d=6, d_v=3),),
    probes=QUERIES_KEYS_VALUES,
    small=SMALL,
    misconceptions=(
        *weights.ATTENTION,
        *weights.UNMASKED,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("scaled-dot-product"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    growth=Growth(
        counts="tokens",
        sizes=tokens,
        contrasts=(
            Contrast("linear attention", "linear-attention"),
            Contrast("flash attention", "flash-attention"),
        ),
    ),
    forbidden=FORBIDDEN,
)
