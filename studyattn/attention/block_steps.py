"""The steps of a block around attention: normalisation, the feed-forward part, the residual sums.

`Steps` in `studyattn.attention.steps` names them with all others.

Shapes: `d` is the width of a row, `d_ff` that in between; `...` any leading axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from array_api_compat import array_namespace

Array = Any
"""A numpy or torch array; the standard has no type for it yet."""

Rows = Callable[[Array], Array]
"""A function of rows, `(..., n, d)` to `(..., n, d)`."""

Part = tuple[Rows, Rows]
"""A normalisation, and the part of a block that reads what it returns."""


def centre(x: Array) -> Array:
    """Subtract from each row its mean, so that it has mean 0: `(..., d)`."""
    return x - array_namespace(x).mean(x, axis=-1, keepdims=True)


def mean_square(x: Array) -> Array:
    """Return the mean of the squares of each row, `(..., 1)`; of a centred one its variance."""
    return array_namespace(x).mean(x * x, axis=-1, keepdims=True)


def root(square: Array, eps: float) -> Array:
    """Return what a row is divided by: √(mean square + ε)."""
    return array_namespace(square).sqrt(square + eps)


def stretch(rows: Array, gain: Array) -> Array:
    """Multiply each feature by its gain: `(..., d)`, `(d,)`."""
    return rows * gain


def shift(rows: Array, bias: Array) -> Array:
    """Add to each feature its bias: `(..., d)`, `(d,)`."""
    return rows + bias


def bend(x: Array) -> Array:
    """Return GELU in its tanh form, x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))) (Radford 2019)."""
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1.0 + array_namespace(x).tanh(inner))


def widen(x: Array, w_1: Array, b_1: Array) -> Array:
    """`(..., d)` to `(..., d_ff)`: the first layer of the MLP."""
    return x @ w_1 + b_1


def narrow(hidden: Array, w_2: Array, b_2: Array) -> Array:
    """`(..., d_ff)` back to `(..., d)`: the second layer of the MLP."""
    return hidden @ w_2 + b_2


def swish(x: Array) -> Array:
    """Return SiLU, x times the logistic function of x: x / (1 + e^(−x))."""
    return x * (0.5 + 0.5 * array_namespace(x).tanh(0.5 * x))


def open_gate(gate: Array, up: Array, swish: Rows) -> Array:
    """Multiply each entry of `up` by the swish of its gate: `(..., d_ff)` each."""
    return swish(gate) * up


def add_part(x: Array, norm: Rows, part: Rows) -> Array:
    """Add to the stream `(..., n, d)` what a part makes of its normalised rows: pre-norm."""
    return x + part(norm(x))


def in_turn(
    x: Array, first: Part, second: Part, add_part: Callable[[Array, Rows, Rows], Array]
) -> Array:
    """Add one part to the stream, then the other, which reads the sum."""
    return add_part(add_part(x, *first), *second)
