"""The reference implementation of attention: pure functions on numpy or torch arrays.

Each function has the name and the arguments of the drill that asks for it. Its argument `steps`
replaces single steps of the computation (see `studyattn.attention.steps`). This package uses
nothing else of the program, and imports torch only when a torch tensor is passed in.
"""

from studyattn.attention.backward import attention_backward
from studyattn.attention.block import block
from studyattn.attention.byte_pairs import (
    BYTE_PAIR_STEPS,
    BytePairSteps,
    merge_pair,
    most_frequent_pair,
)
from studyattn.attention.circuits import induction_weights, two_layers
from studyattn.attention.efficient import (
    causal_linear_attention,
    flash_attention,
    linear_attention,
    lora_linear,
    low_rank_value,
)
from studyattn.attention.feed_forward import gelu_mlp, swiglu
from studyattn.attention.generating import (
    GENERATION_STEPS,
    CachedModel,
    GenerationSteps,
    generate,
)
from studyattn.attention.heads import (
    CachedAttention,
    cross_attention,
    head_updates,
    merge_heads,
    multi_head_attention,
    project_qkv,
    split_heads,
    trace_head,
)
from studyattn.attention.loss import LOSS_STEPS, LossSteps, next_token_loss
from studyattn.attention.normalisation import layer_norm, rms_norm
from studyattn.attention.optimiser import OPTIMISER_STEPS, OptimiserSteps, adamw_step
from studyattn.attention.parameters import attention_parameters
from studyattn.attention.positions import add_sinusoids, embed, rope
from studyattn.attention.sampling import (
    SAMPLING_STEPS,
    SamplingSteps,
    next_probabilities,
    sample,
)
from studyattn.attention.scaled import (
    alibi_attention,
    attend,
    attention,
    causal_attention,
    dot_product,
    grouped_query_attention,
    library_attention,
    masked_attention,
    padded_attention,
    sliding_window_attention,
    softmax,
    weighted_sum,
)
from studyattn.attention.steps import STEPS, Array, Memory, Steps

__all__ = [
    "BYTE_PAIR_STEPS",
    "GENERATION_STEPS",
    "LOSS_STEPS",
    "OPTIMISER_STEPS",
    "SAMPLING_STEPS",
    "STEPS",
    "Array",
    "BytePairSteps",
    "CachedAttention",
    "CachedModel",
    "GenerationSteps",
    "LossSteps",
    "Memory",
    "OptimiserSteps",
    "SamplingSteps",
    "Steps",
    "adamw_step",
    "add_sinusoids",
    "alibi_attention",
    "attend",
    "attention",
    "attention_backward",
    "attention_parameters",
    "block",
    "causal_attention",
    "causal_linear_attention",
    "cross_attention",
    "dot_product",
    "embed",
    "flash_attention",
    "gelu_mlp",
    "generate",
    "grouped_query_attention",
    "head_updates",
    "induction_weights",
    "layer_norm",
    "library_attention",
    "linear_attention",
    "lora_linear",
    "low_rank_value",
    "masked_attention",
    "merge_heads",
    "merge_pair",
    "most_frequent_pair",
    "multi_head_attention",
    "next_probabilities",
    "next_token_loss",
    "padded_attention",
    "project_qkv",
    "rms_norm",
    "rope",
    "sample",
    "sliding_window_attention",
    "softmax",
    "split_heads",
    "swiglu",
    "trace_head",
    "two_layers",
    "weighted_sum",
]
