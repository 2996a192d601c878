# backend: torch
from torch import Tensor


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, grad_output: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of softmax(q kᵀ / √d) v, worked out by hand.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    grad_output: (..., m, d_v)
    returns (dq, dk, dv), each in the shape of its input
    """
    raise NotImplementedError("start at the end: output = weights @ v")
