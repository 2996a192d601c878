# backend: numpy
import numpy as np


def partial_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return an output (h, m, d_v) and logarithms of sums of exponentials (h, m)."""
    raise NotImplementedError("the usual output, and how much it stands for")


def merge(outputs: np.ndarray, lses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the output and logarithms of all parts (s, h, m, d_v) and (s, h, m) together."""
    raise NotImplementedError("each part by its share")
