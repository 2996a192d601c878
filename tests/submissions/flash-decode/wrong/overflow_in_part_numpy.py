# backend: numpy
# mistake: merge-overflow
import numpy as np


def partial_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return an output (h, m, d_v) and logarithms of sums of exponentials (h, m)."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    top = scores.dtype.type(0)
    powers = np.exp(scores - top)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / total @ v, np.log(total)[..., 0]


def merge(outputs: np.ndarray, lses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the output and logarithms of all parts (s, h, m, d_v) and (s, h, m) together."""
    top = lses.max(axis=0)
    powers = np.exp(lses - top)  # of an empty part: 0
    total = powers.sum(axis=0)
    return ((powers / total)[..., None] * outputs).sum(axis=0), top + np.log(total)
