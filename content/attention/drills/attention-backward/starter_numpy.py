# backend: numpy
import numpy as np


def weigh(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """The weights of the forward pass, softmax(q kᵀ / √d): (..., m, n)."""
    raise NotImplementedError("step 1")


def softmax_backward(weights: np.ndarray, grad_weights: np.ndarray) -> np.ndarray:
    """The gradients of the scaled scores, from those of their weights: (..., m, n) each."""
    raise NotImplementedError("step 2")


def attention_backward(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, grad_output: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of softmax(q kᵀ / √d) v, worked out by hand.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    grad_output: (..., m, d_v)
    returns (dq, dk, dv), each in the shape of its input
    """
    raise NotImplementedError("start at the end: output = weights @ v")
