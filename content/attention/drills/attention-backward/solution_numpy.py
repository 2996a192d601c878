# backend: numpy
import math

import numpy as np


def weigh(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """The weights of the forward pass, softmax(q kᵀ / √d): (..., m, n)."""
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax_backward(weights: np.ndarray, grad_weights: np.ndarray) -> np.ndarray:
    """The gradients of the scaled scores, from those of their weights: (..., m, n) each."""
    coupling = (weights * grad_weights).sum(axis=-1, keepdims=True)  # each row sums to 1
    return weights * (grad_weights - coupling)


def attention_backward(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, grad_output: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of softmax(q kᵀ / √d) v with respect to q, k and v."""
    weights = weigh(q, k)
    grad_v = weights.swapaxes(-2, -1) @ grad_output  # (..., n, d_v)
    grad_weights = grad_output @ v.swapaxes(-2, -1)  # (..., m, n)
    grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(q.shape[-1])
    grad_q = grad_scores @ k  # (..., m, d)
    grad_k = grad_scores.swapaxes(-2, -1) @ q  # (..., n, d)
    return grad_q, grad_k, grad_v
