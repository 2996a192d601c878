"""How `attention-backward` is checked."""

from typing import Any

from studyattn.attention import STEPS, attention_backward
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import backward, behaviour, scores, weights
from ...shared import (
    BATCHES,
    FORBIDDEN,
    MEMORY,
    SMALL,
    UNEVEN,
    queries_keys_values,
    unevenly,
    with_lower_scores,
)
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, *, lowered: float = 0.0, **sizes: Any) -> Call:
    """With `uneven`, what the loss thinks is as uneven as the values."""
    q, k, v = queries_keys_values(draw, **sizes)
    if lowered:
        q, k = with_lower_scores(q, k, lowered)
    grad_output = draw.array(*sizes.get("batch", ()), sizes["m"], sizes["d_v"])
    if sizes.get("uneven"):
        grad_output = unevenly(grad_output)
    return Call("attention_backward", (q, k, v, grad_output))


drill = Drill(
    id="attention-backward",
    reference={"attention_backward": attention_backward},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", batch=(2, 3), m=4, n=5, d=6, d_v=7),
        case("float64", dtype="float64", batch=(2, 3), m=5, n=7, d=4, d_v=3),
        case("as many queries as keys", batch=(2,), m=9, n=9, d=4, d_v=3),
        case("all sizes the same", m=4, n=4, d=4, d_v=4),
        case("no batch", m=3, n=5, d=4, d_v=2),
        case("one query", batch=(2,), m=1, n=6, d=3, d_v=4),
        case("one key", batch=(2,), m=4, n=1, d=3, d_v=5),
        case("one feature", batch=(2,), m=2, n=3, d=1, d_v=1),
        case("large scores", spread=9.0, batch=(2,), m=5, n=6, d=4, d_v=3),
        case("scores far below zero", dtype="float64", m=4, n=6, d=5, d_v=3, lowered=2e6),
        case("tiny weights", dtype="float64", spread=3.5, batch=(3,), m=6, n=20, d=5, d_v=3),
        case("many queries and keys", m=66, n=131, d=2, d_v=1),
        case("many features", m=2, n=2, d=66, d_v=70),
        UNEVEN,
        BATCHES,
        case("odd sizes", batch=(3,), m=13, n=11, d=7, d_v=5),
        *MEMORY,
        case("the same call twice", twice=True, batch=(2,), m=3, n=4, d=3, d_v=2),
    ),
    small=SMALL,
    misconceptions=(
        *backward.BACKWARD,
        *scores.SCALE[:3],
        *weights.SOFTMAX,
        *behaviour.BEHAVIOUR,
    ),
    slack=8.0,  # dP minus its weighted mean cancels digits where one weight is next to 1
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "row", "feature"),
    parts=("dq", "dk", "dv"),
    forbidden=(*FORBIDDEN, "autograd"),
)
