# backend: numpy
# mistake: scores-scaled-in-trace
import numpy as np


def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    logits = scores
    logits /= q.dtype.type(q.shape[1] ** 0.5)
    weights = np.exp(logits - logits.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    return q, k, v, scores, weights, weights @ v
