"""Positions in attention: queries and keys that are turned by where they are (Su et al. 2021)."""

from __future__ import annotations

from studyattn.attention.steps import STEPS, Array, Steps


def rope(x: Array, positions: Array, base: float = 10000.0, *, steps: Steps = STEPS) -> Array:
    """Rotate each pair of neighbours by position · base^(−2i/d): `(..., n, d)`, `(n,)`, d even."""
    return steps.turn(x, steps.angles(positions, steps.speeds(x.shape[-1], base, positions)))
