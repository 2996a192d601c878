# backend: numpy
# mistake: softmax-global
# style: numpy
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    e = np.exp((scores - scores.max()) / q.shape[1] ** 0.5)
    weights = e / e.sum()
    return q, k, v, scores, weights, weights @ v
