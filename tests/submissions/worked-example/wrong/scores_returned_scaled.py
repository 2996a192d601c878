# backend: numpy
# mistake: scores-scaled-in-trace
# Returns the scaled scores; the brief asks for the raw ones.
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = (q @ k.T) / q.shape[-1] ** 0.5
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    return q, k, v, scores, weights, weights @ v
