# backend: numpy
import numpy as np


def alibi_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return causal attention whose scores fall with the distance, in each head by its own slope.

    q: (..., h, m, d)    k: (..., h, n, d)    v: (..., h, n, d_v)    returns (..., h, m, d_v)
    """
    raise NotImplementedError("causal attention with scores lowered by slope · distance")
