# backend: numpy
# style: adversarial
import numpy as np

from typing import NamedTuple
class Trace(NamedTuple):
    q: object
    k: object
    v: object
    scores: object
    weights: object
    output: object
def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = np.inner(q, k)
    z = (scores - scores.max(1, keepdims=True)) / np.sqrt(q.shape[1]).astype(x.dtype)
    e = np.exp(z)
    weights = e / e.sum(1)[:, None]
    return Trace(q, k, v, scores, weights, np.dot(weights, v))
