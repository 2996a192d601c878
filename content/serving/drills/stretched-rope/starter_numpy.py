# backend: numpy
import numpy as np


def interpolated(speeds: np.ndarray, factor: float) -> np.ndarray:
    """Return the speeds for positions divided by the factor: (n,) to (n,)."""
    raise NotImplementedError


def ntk(speeds: np.ndarray, factor: float) -> np.ndarray:
    """Return speeds of which the first is kept and the last divided by the factor: (n,)."""
    raise NotImplementedError


def yarn(
    speeds: np.ndarray, factor: float, original: int, slow: float = 1.0, fast: float = 32.0
) -> np.ndarray:
    """Return speeds that are kept, interpolated or in between, by their turns: (n,)."""
    raise NotImplementedError


def yarn_scale(factor: float) -> float:
    """Return what queries and keys are multiplied by."""
    raise NotImplementedError
