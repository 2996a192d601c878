# backend: torch
import math

from torch import Tensor


def weigh(q: Tensor, k: Tensor) -> Tensor:
    """The weights of the forward pass, softmax(q kᵀ / √d): (..., m, n)."""
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)


def softmax_backward(weights: Tensor, grad_weights: Tensor) -> Tensor:
    """The gradients of the scaled scores, from those of their weights: (..., m, n) each."""
    coupling = (weights * grad_weights).sum(dim=-1, keepdim=True)  # each row sums to 1
    return weights * (grad_weights - coupling)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, grad_output: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of softmax(q kᵀ / √d) v with respect to q, k and v."""
    weights = weigh(q, k)
    grad_v = weights.transpose(-2, -1) @ grad_output  # (..., n, d_v)
    grad_weights = grad_output @ v.transpose(-2, -1)  # (..., m, n)
    grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(q.shape[-1])
    grad_q = grad_scores @ k  # (..., m, d)
    grad_k = grad_scores.transpose(-2, -1) @ q  # (..., n, d)
    return grad_q, grad_k, grad_v
