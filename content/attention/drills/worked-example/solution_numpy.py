# backend: numpy
import math

import numpy as np

Trace = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def trace_head(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray) -> Trace:
    """Every table between the tokens and the output of one head, in order."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, d), (n, d), (n, d_v)
    scores = q @ k.T  # (n, n)
    scaled = scores / math.sqrt(q.shape[-1])
    exponentials = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)  # each row sums to 1
    output = weights @ v  # (n, d_v)
    return q, k, v, scores, weights, output
