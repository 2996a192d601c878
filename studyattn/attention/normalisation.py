"""Rows brought to one scale: layer normalisation (Ba et al. 2016), RMSNorm (Zhang, Sennrich 2019).

Shapes: `x` `(..., d)`, `gain` and `bias` `(d,)`. Each row is normalised by itself.
"""

from __future__ import annotations

from studyattn.attention.steps import STEPS, Array, Steps


def layer_norm(
    x: Array, gain: Array, bias: Array, eps: float = 1e-5, *, steps: Steps = STEPS
) -> Array:
    """Bring each row to mean 0 and variance 1, then stretch and shift its features."""
    centred = steps.centre(x)
    normed = centred / steps.root(steps.mean_square(centred), eps)
    return steps.shift(steps.stretch(normed, gain), bias)


def rms_norm(x: Array, gain: Array, eps: float = 1e-5, *, steps: Steps = STEPS) -> Array:
    """Divide each row by the root of its mean square, then stretch its features."""
    return steps.stretch(x / steps.root(steps.mean_square(x), eps), gain)
