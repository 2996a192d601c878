# backend: numpy
import numpy as np


def lora_linear(
    x: np.ndarray, w: np.ndarray, a: np.ndarray, b: np.ndarray, alpha: float
) -> np.ndarray:
    """The frozen layer plus its update of rank r, which is never formed as a matrix."""
    rank = a.shape[-1]
    update = (x @ a) @ b  # (..., r), then (..., d_out)
    return x @ w + (alpha / rank) * update
