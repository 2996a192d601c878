# backend: torch
# mistake: none
# style: dtype
import torch


def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    weights = torch.softmax(scores / q.shape[-1] ** 0.5, -1)
    return tuple(table.half() for table in (q, k, v, scores, weights, weights @ v))
