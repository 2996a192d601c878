# backend: torch
# mistake: not-differentiable
import torch


def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    with torch.no_grad():
        weights = torch.softmax(scores / q.shape[1] ** 0.5, dim=1)
    return q, k, v, scores, weights, weights @ v
