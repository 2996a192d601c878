"""The parts of a real model: the entries that the learner writes, and the drill that asks for each.

As in `lm.parts`: a part without a drill is a plain function of `forward`, and its name here is all
that is needed once there is a drill for it.
"""

from __future__ import annotations

from typing import Final

NORM: Final = "rms_norm"
ROPE: Final = "rope"
CAUSAL: Final = "causal_attention"
GROUPED: Final = "grouped_query_attention"
MLP: Final = "swiglu"
SAMPLE: Final = "sample"

DRILLS: Final = {
    CAUSAL: "causal-attention",
    GROUPED: "grouped-query",
    ROPE: "rope",
    NORM: "rms-norm",
    MLP: "swiglu",
}
"""The drill of each part that has one."""

ATTENTION_PARTS: Final = (CAUSAL, GROUPED, ROPE)
"""The parts whose place a mistake takes."""

PLAIN: Final = (SAMPLE,)
"""The parts that no drill asks for yet."""

PARTS: Final = (*DRILLS, *PLAIN)

STEPS: Final = frozenset(
    {
        "roles", "scores", "scale", "mask", "normalise", "weigh", "aggregate", "causal", "group",
        "speeds", "angles", "turn",
    }
)  # fmt: skip
"""The steps of the reference that the attention of a model uses: a mistake may change them."""
