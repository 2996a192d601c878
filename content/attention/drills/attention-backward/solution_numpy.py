# backend: numpy
import math

import numpy as np


def attention_backward(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, grad_output: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of softmax(q kᵀ / √d) v with respect to q, k and v."""
    scale = 1 / math.sqrt(q.shape[-1])
    scores = q @ k.swapaxes(-2, -1) * scale  # (..., m, n)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)

    grad_v = weights.swapaxes(-2, -1) @ grad_output  # (..., n, d_v)
    grad_weights = grad_output @ v.swapaxes(-2, -1)  # (..., m, n)
    coupling = (weights * grad_weights).sum(axis=-1, keepdims=True)  # each row sums to 1
    grad_scores = weights * (grad_weights - coupling) * scale  # (..., m, n)
    grad_q = grad_scores @ k  # (..., m, d)
    grad_k = grad_scores.swapaxes(-2, -1) @ q  # (..., n, d)
    return grad_q, grad_k, grad_v
