# backend: torch
from torch import Tensor


def weigh(q: Tensor, k: Tensor) -> Tensor:
    """The weights of the forward pass, softmax(q kᵀ / √d): (..., m, n)."""
    raise NotImplementedError("step 1")


def softmax_backward(weights: Tensor, grad_weights: Tensor) -> Tensor:
    """The gradients of the scaled scores, from those of their weights: (..., m, n) each."""
    raise NotImplementedError("step 2")


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, grad_output: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of softmax(q kᵀ / √d) v, worked out by hand.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    grad_output: (..., m, d_v)
    returns (dq, dk, dv), each in the shape of its input
    """
    raise NotImplementedError("start at the end: output = weights @ v")
