# backend: numpy
# mistake: scale-by-d
# style: numpy
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    e = np.exp((scores - scores.max(1, keepdims=True)) / q.shape[1])
    weights = e / e.sum(1, keepdims=True)
    return q, k, v, scores, weights, weights @ v
