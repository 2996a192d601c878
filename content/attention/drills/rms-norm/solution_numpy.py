# backend: numpy
import numpy as np


def rms_norm(x: np.ndarray, gain: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Divide each row by the root of its mean square, then multiply by `gain`."""
    mean_square = (x * x).mean(axis=-1, keepdims=True)  # (..., n, 1)
    return x / np.sqrt(mean_square + eps) * gain
