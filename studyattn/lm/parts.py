"""The parts of a model: the entries that the learner writes, and the drill that asks for each.

A part without a drill is a plain function of `model`. When a drill for it is added, its name here
is all that is needed: the part is then taken from the learner's passed code.
"""

from __future__ import annotations

from typing import Final

ATTENTION: Final = "multi_head_attention"
CACHE: Final = "CachedAttention"
LOSS: Final = "next_token_loss"
SAMPLE: Final = "sample"
STEP: Final = "adamw_step"
EMBED: Final = "embed"
NORM: Final = "layer_norm"
MLP: Final = "gelu_mlp"

DRILLS: Final = {
    ATTENTION: "multi-head-attention",
    CACHE: "kv-cache",
    LOSS: "next-token-loss",
    SAMPLE: "sample",
    STEP: "adamw-step",
    EMBED: "embed",
    NORM: "layer-norm",
    MLP: "gelu-mlp",
}
"""The drill of each part that has one."""

ATTENTION_PARTS: Final = (ATTENTION, CACHE)
"""The parts whose place a mistake takes."""

PLAIN: Final = (
    "unembed",
    "causal_mask",
)
"""The parts that no drill asks for yet."""

ATTENTION_STEPS: Final = frozenset(
    {
        "project", "qkv", "roles", "split", "merge", "output", "scores", "scale", "mask",
        "normalise", "weigh", "aggregate", "causal", "extend", "keep", "memory", "forget",
    }
)  # fmt: skip
"""The steps of the reference that the attention of a model uses: a mistake may change them."""
