# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    weights = np.exp(scores / q.shape[1] ** 0.5)
    weights = weights / weights.sum(1, keepdims=True)
    return q, k, v, scores, weights, weights @ v
