"""How `attention` is checked."""

from studyattn.attention import STEPS, attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth

from ...misconceptions import behaviour, weights
from ...shared import (
    EXTREMES,
    FORBIDDEN,
    MORE_QUERIES,
    SMALL,
    STANDARD,
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
    cases=(*STANDARD, *EXTREMES, *MORE_QUERIES),
    small=SMALL,
    misconceptions=(*weights.ATTENTION, *behaviour.BEHAVIOUR),
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
