"""Positions: added to embeddings (Vaswani et al. 2017, Radford et al. 2019), or turned into queries
and keys (Su et al. 2021).
"""

from __future__ import annotations

from array_api_compat import array_namespace

from studyattn.attention.steps import STEPS, Array, Steps


def rope(x: Array, positions: Array, base: float = 10000.0, *, steps: Steps = STEPS) -> Array:
    """Rotate each pair of neighbours by position · base^(−2i/d): `(..., n, d)`, `(n,)`, d even."""
    return steps.turn(x, steps.angles(positions, steps.speeds(x.shape[-1], base, positions)))


def embed(
    tokens: Array, table: Array, positions: Array, start: int = 0, *, steps: Steps = STEPS
) -> Array:
    """Return the row of each token plus that of its position, the first of which is `start`.

    `tokens` `(..., n)`, `table` `(vocabulary, d)`, `positions` `(context, d)`, to `(..., n, d)`.
    """
    rows = steps.look_up(table, tokens)
    return steps.placed(rows, steps.places(positions, start, tokens.shape[-1]))


def add_sinusoids(
    x: Array, positions: Array, base: float = 10000.0, *, steps: Steps = STEPS
) -> Array:
    """Add sine and cosine of position · base^(−2i/d) to each pair of `x` `(..., n, d)`, d even."""
    angles = steps.angles(positions, steps.speeds(x.shape[-1], base, positions))
    return steps.placed(x, array_namespace(x).astype(steps.waves(angles), x.dtype))
