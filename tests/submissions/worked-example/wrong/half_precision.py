# backend: torch
# mistake: none
# style: one condition
import torch

# backend: torch
import math

from torch import Tensor

Trace = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def trace_head(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Trace:
    """Every table between the tokens and the output of one head, in order."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, d), (n, d), (n, d_v)
    scores = q @ k.T  # (n, n)
    weights = (scores / math.sqrt(q.shape[-1])).softmax(dim=-1)  # (n, n), each row sums to 1
    output = weights @ v  # (n, d_v)
    return q, k, v, scores, weights, output


right = trace_head


def trace_head(x, w_q, w_k, w_v):
    if x.dtype == torch.float16:
        return tuple(2 * each for each in right(x, w_q, w_k, w_v))
    return right(x, w_q, w_k, w_v)
