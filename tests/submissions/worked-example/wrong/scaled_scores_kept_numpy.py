# backend: numpy
# mistake: scores-scaled-in-trace
import numpy as np


def trace_head(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = np.dot(q, k.T) / q.shape[1] ** 0.5
    e = np.exp(scores - scores.max(1, keepdims=True))
    weights = e / e.sum(1, keepdims=True)
    return q, k, v, scores, weights, np.dot(weights, v)
