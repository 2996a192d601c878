"""The feed-forward part of a block: an MLP (Radford et al. 2019), a gated one (Shazeer 2020).

Shapes: `x` `(..., d)`; `d_ff` is the width in between. Each row is computed by itself.
"""

from __future__ import annotations

from studyattn.attention.steps import STEPS, Array, Steps


def gelu_mlp(
    x: Array, w_1: Array, b_1: Array, w_2: Array, b_2: Array, *, steps: Steps = STEPS
) -> Array:
    """Widen each row to `d_ff`, apply GELU, narrow it to `d` again."""
    return steps.narrow(steps.bend(steps.widen(x, w_1, b_1)), w_2, b_2)


def swiglu(x: Array, w_gate: Array, w_up: Array, w_down: Array, *, steps: Steps = STEPS) -> Array:
    """Widen each row in two ways, let the one gate the other, narrow the product to `d` again."""
    return steps.open_gate(x @ w_gate, x @ w_up, steps.swish) @ w_down
