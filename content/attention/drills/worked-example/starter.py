# backend: torch
from torch import Tensor

Trace = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def trace_head(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Trace:
    """Every table between the tokens and the output of one head.

    x: (n, d_model)    w_q, w_k: (d_model, d)    w_v: (d_model, d_v)
    returns (q, k, v, scores, weights, output); the scores are the raw ones
    """
    raise NotImplementedError("give every step a name")
