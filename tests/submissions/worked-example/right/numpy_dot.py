# backend: numpy
# style: numpy
import numpy as np

def trace_head(x, w_q, w_k, w_v):
    q, k, v = np.dot(x, w_q), np.dot(x, w_k), np.dot(x, w_v)
    scores = np.inner(q, k)
    weights = np.exp((scores - scores.max(1)[:, None]) / q.shape[1] ** 0.5)
    weights /= weights.sum(1)[:, None]
    return q, k, v, scores, weights, weights.dot(v)
