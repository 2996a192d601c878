"""The parts of each kind of model: the entries that the learner writes, and their drills.

A part without a drill is a plain function of the model. When a drill for it is added, its name here
is all that is needed: the part is then taken from the learner's passed code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

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

RMS_NORM: Final = "rms_norm"
ROPE: Final = "rope"
CAUSAL: Final = "causal_attention"
GROUPED: Final = "grouped_query_attention"
SWIGLU: Final = "swiglu"
SHARED: Final = "shared"

PROJECTIONS: Final = ("w_q", "w_k", "w_v", "w_o")
OF_MLP: Final = ("w_1", "b_1", "w_2", "b_2")
OF_BLOCK: Final = ("gain_1", "bias_1", *PROJECTIONS, "gain_2", "bias_2", *OF_MLP)
"""The names of a layer's weights, in the order in which a block takes them."""


class ModelKind(NamedTuple):
    """A kind of model, by its parts.

    Attributes:
        name: the word for it in an order to a worker.
        drills: the drill of each part that is the pack's until the learner's has passed.
        composed: the drills of the parts that are made of others. They are used once they have
            passed and never lent: the program puts the others together instead.
        plain: the parts that no drill asks for yet.
        attention: the parts whose place a mistake in attention takes.
        tried: the parts that are tried alone before the model is used, in this order.
    """

    name: str
    drills: Mapping[str, str]
    composed: Mapping[str, str]
    plain: tuple[str, ...]
    attention: tuple[str, ...]
    tried: tuple[str, ...]

    @property
    def all_drills(self) -> dict[str, str]:
        """The drill of each part that has one."""
        return {**self.drills, **self.composed}


GPT: Final = ModelKind(
    name="gpt",
    drills={
        ATTENTION: "multi-head-attention",
        CACHE: "kv-cache",
        LOSS: "next-token-loss",
        SAMPLE: "sample",
        STEP: "adamw-step",
        EMBED: "embed",
        NORM: "layer-norm",
        MLP: "gelu-mlp",
    },
    composed={BLOCK: "block", GENERATE: "generate"},
    plain=("unembed", "causal_mask"),
    attention=(ATTENTION, CACHE),
    tried=(EMBED, NORM, MLP, ATTENTION, BLOCK, CACHE, LOSS, SAMPLE, STEP),
)
"""A GPT that is trained here."""

LLAMA: Final = ModelKind(
    name="llama",
    drills={
        CAUSAL: "causal-attention",
        GROUPED: "grouped-query",
        ROPE: "rope",
        RMS_NORM: "rms-norm",
        SWIGLU: "swiglu",
        SAMPLE: "sample",
    },
    composed={},
    plain=(),
    attention=(CAUSAL, GROUPED, ROPE),
    tried=(CAUSAL, GROUPED, ROPE, RMS_NORM, SWIGLU, SAMPLE),
)
"""A real model, whose weights come from a file."""

FIRST: Final = ModelKind(
    name="first",
    drills={
        "dot_product": "dot-product",
        "weighted_sum": "weighted-sum",
        "softmax": "softmax",
        "attend": "single-query",
        "attention": "attention",
        "masked_attention": "masked-attention",
        CAUSAL: "causal-attention",
        "project_qkv": "project-qkv",
        "split_heads": "split-heads",
        "merge_heads": "split-heads",
        "head_updates": "output-projection",
        ATTENTION: "multi-head-attention",
        MLP: "gelu-mlp",
        NORM: "layer-norm",
        BLOCK: "block",
        LOSS: "next-token-loss",
        EMBED: "embed",
        SAMPLE: "sample",
    },
    composed={},
    plain=(),
    attention=(),
    tried=(),
)
"""A tiny model that is there from the first day; in the order of the path. Nothing is lent."""
