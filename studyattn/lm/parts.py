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
BLOCK: Final = "block"
GENERATE: Final = "generate"
TOGETHER: Final = "together"

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

COMPOSED: Final = {BLOCK: "block", GENERATE: "generate"}
"""The drills of the parts that are made of others.

They are used once they have passed and never lent: the program puts the others together instead, so
that these are the learner's.
"""

TRIED_PARTS: Final = (EMBED, NORM, MLP, ATTENTION, BLOCK, CACHE, LOSS, SAMPLE, STEP)
"""The parts that are tried before a training, in this order; `generate` needs a whole model."""

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

BLOCK_STEPS: Final = frozenset({"add_part", "in_turn"})
"""The steps of the reference that put a block together."""

WRITING_STEPS: Final = frozenset({"begin", "last", "next_token", "is_over", "go_on", "told"})
"""The steps of the reference with which a model writes on."""
