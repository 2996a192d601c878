"""The number of parameters of attention."""

from __future__ import annotations

from studyattn.attention.steps import STEPS, Steps


def attention_parameters(
    d_model: int, num_heads: int, d_head: int, num_layers: int = 1, *, steps: Steps = STEPS
) -> int:
    """Count the query, key, value and output matrices of all heads and layers; there are no biases.

    GPT-3 (12288, 96, 128, 96) has 57,982,058,496. The length of the context does not matter.
    """
    head = sum(steps.count_qkv(d_model, d_head)) + steps.count_output(d_model, d_head)
    return steps.count_all(head, num_heads, num_layers)
