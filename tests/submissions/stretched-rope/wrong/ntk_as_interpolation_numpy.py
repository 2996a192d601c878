# backend: numpy
# mistake: ntk-all-alike
import math

import numpy as np


def interpolated(speeds: np.ndarray, factor: float) -> np.ndarray:
    """Return the speeds for positions divided by the factor: (n,) to (n,)."""
    return speeds / factor


def ntk(speeds: np.ndarray, factor: float) -> np.ndarray:
    """Return speeds of which the first is kept and the last divided by the factor: (n,)."""
    n = len(speeds)
    exponents = np.arange(n, dtype=speeds.dtype) / (n - 1)
    return speeds / factor


def yarn(
    speeds: np.ndarray, factor: float, original: int, slow: float = 1.0, fast: float = 32.0
) -> np.ndarray:
    """Return speeds that are kept, interpolated or in between, by their turns: (n,)."""
    turns = original * speeds / (2 * math.pi)
    gamma = np.clip((turns - slow) / (fast - slow), 0, 1)
    return gamma * speeds + (1 - gamma) * speeds / factor


def yarn_scale(factor: float) -> float:
    """Return what queries and keys are multiplied by."""
    return 0.1 * math.log(factor) + 1
