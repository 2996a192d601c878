# backend: numpy
import numpy as np


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Bring each row to mean 0 and variance 1, then multiply by `gain` and add `bias`."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)  # (..., n, 1)
    return centred / np.sqrt(variance + eps) * gain + bias
