"""The checks of `attention-backward`."""

from typing import Any

import numpy as np

from studyattn.attention import STEPS, attention_backward
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.space import Excluded

from ...conditions import MORE_QUERIES, TOKENS, VALUES, attention_space
from ...misconceptions import backward, behaviour, scores, weights
from ...probes import QUERIES_KEYS_VALUES, scores_beyond
from ...shared import (
    FORBIDDEN,
    SMALL,
    queries_keys_values,
    unevenly,
    with_first_feature,
    with_lower_scores,
)
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, *, lowered: float = 0.0, above: float = 0.0, **sizes: Any) -> Call:
    """With `uneven`, what the loss thinks is as uneven as the values.

    The score of the first key stands `above` all others: it has all of the weight.
    """
    q, k, v = queries_keys_values(draw, **sizes)
    if lowered:
        q, k = with_lower_scores(q, k, lowered)
    if above:
        q = with_first_feature(q, np.sqrt(sizes["d"]))
        k = with_first_feature(k, np.where(np.arange(sizes["n"]), 0.0, above))
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
    spaces=(
        attention_space(
            {**TOKENS, **MORE_QUERIES},
            Excluded(
                "with such large values, dP minus its weighted mean loses all precision",
                arrays="one array for q, k and v",
                values="large scores",
            ),
            values={  # no larger scores: they cost all digits of dS
                **{name: VALUES[name] for name in VALUES if name != "huge scores"},
                "large scores": {"spread": 9.0},
            },
        ),
    ),
    cases=(
        case("the same call twice", twice=True, batch=(2,), m=3, n=4, d=3, d_v=2),
        case(
            "a score far above all others",
            by_rounding=True,
            above=2000.0,
            batch=(2,),
            m=3,
            n=4,
            d=3,
            d_v=2,
        ),
    ),
    probes=(
        *(each for each in QUERIES_KEYS_VALUES if not each.name.startswith("a score")),
        *scores_beyond(100.0),
    ),
    unasked={"*gradient of*": "the drill itself computes the gradient, and autograd is refused"},
    small=SMALL,
    misconceptions=(
        *backward.BACKWARD,
        *scores.SCALE[:3],
        *weights.SOFTMAX,
        *behaviour.of("attention-backward"),
    ),
    slack=8.0,  # dP minus its weighted mean cancels digits where one weight is next to 1
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "row", "feature"),
    parts=("dq", "dk", "dv"),
    forbidden=(*FORBIDDEN, "autograd"),
)
