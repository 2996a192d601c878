# backend: torch
# mistake: projection-transposed
# style: linear
from torch.nn.functional import linear

def trace_head(x, w_q, w_k, w_v):
    q, k, v = linear(x, w_q), linear(x, w_k), linear(x, w_v)
    scores = q @ k.T
    weights = (scores / q.shape[-1] ** 0.5).softmax(-1)
    return q, k, v, scores, weights, weights @ v
