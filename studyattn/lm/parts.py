"""The parts of each kind of model: the entries that the learner writes, and their drills.

A part without a drill is a plain function of the model. When a drill for it is added, its name here
is all that is needed: the part is then taken from the learner's passed code.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

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
    composed: Mapping[str, str] = MappingProxyType({})
    plain: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()

    @property
    def all_drills(self) -> dict[str, str]:
        """The drill of each part that has one."""
        return {**self.drills, **self.composed}


GPT: Final = ModelKind(
    name="gpt",
    drills={
        "multi_head_attention": "multi-head-attention",
        "CachedAttention": "kv-cache",
        "next_token_loss": "next-token-loss",
        "sample": "sample",
        "adamw_step": "adamw-step",
        "embed": "embed",
        "layer_norm": "layer-norm",
        "gelu_mlp": "gelu-mlp",
    },
    composed={"block": "block", "generate": "generate"},
    plain=("unembed", "causal_mask"),
    attention=("multi_head_attention", "CachedAttention"),
    tried=(
        "embed",
        "layer_norm",
        "gelu_mlp",
        "multi_head_attention",
        "block",
        "CachedAttention",
        "next_token_loss",
        "sample",
        "adamw_step",
    ),
)
"""A GPT that is trained here."""

LLAMA: Final = ModelKind(
    name="llama",
    drills={
        "causal_attention": "causal-attention",
        "grouped_query_attention": "grouped-query",
        "rope": "rope",
        "rms_norm": "rms-norm",
        "swiglu": "swiglu",
        "sample": "sample",
    },
    attention=("causal_attention", "grouped_query_attention", "rope"),
    tried=("causal_attention", "grouped_query_attention", "rope", "rms_norm", "swiglu", "sample"),
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
        "causal_attention": "causal-attention",
        "project_qkv": "project-qkv",
        "split_heads": "split-heads",
        "merge_heads": "split-heads",
        "head_updates": "output-projection",
        "multi_head_attention": "multi-head-attention",
        "gelu_mlp": "gelu-mlp",
        "layer_norm": "layer-norm",
        "block": "block",
        "next_token_loss": "next-token-loss",
        "embed": "embed",
        "sample": "sample",
    },
)
"""A tiny model that is there from the first day; in the order of the path. Nothing is lent."""
