# backend: numpy
# mistake: scale-missing
# style: numpy
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x.dot(w_q), x.dot(w_k), x.dot(w_v)
    scores = np.inner(q, k)
    e = np.exp(scores - scores.max(1, keepdims=True))
    weights = e / e.sum(1, keepdims=True)
    return q, k, v, scores, weights, weights.dot(v)
