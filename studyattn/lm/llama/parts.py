"""The parts of a real model: the entries that the learner writes, and the drill that asks for each.

As in `lm.parts`, but every part of a real model has a drill.
"""

from __future__ import annotations

from typing import Final

NORM: Final = "rms_norm"
ROPE: Final = "rope"
CAUSAL: Final = "causal_attention"
GROUPED: Final = "grouped_query_attention"
MLP: Final = "swiglu"
SAMPLE: Final = "sample"
SHARED: Final = "shared"

DRILLS: Final = {
    CAUSAL: "causal-attention",
    GROUPED: "grouped-query",
    ROPE: "rope",
    NORM: "rms-norm",
    MLP: "swiglu",
    SAMPLE: "sample",
}
"""The drill of each part."""

PARTS: Final = tuple(DRILLS)
"""The parts that are the learner's; `SHARED` is the program's."""

ATTENTION_PARTS: Final = (CAUSAL, GROUPED, ROPE)
"""The parts whose place a mistake takes."""

STEPS: Final = frozenset(
    {
        "roles", "scores", "scale", "mask", "normalise", "weigh", "aggregate", "causal", "group",
        "speeds", "angles", "turn",
    }
)  # fmt: skip
"""The steps of the reference that the attention of a model uses: a mistake may change them."""
