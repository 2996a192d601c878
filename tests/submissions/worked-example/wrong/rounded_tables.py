# backend: numpy
# mistake: none
# Rounds the weights to four decimals, as on a slide, and mixes the values with them.
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    z = scores / np.sqrt(q.shape[-1])
    e = np.exp(z - z.max(axis=1, keepdims=True))
    weights = np.round(e / e.sum(axis=1, keepdims=True), 4)
    return q, k, v, scores, weights, weights @ v
