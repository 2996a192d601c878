# backend: numpy
from typing import NamedTuple
import numpy as np

class Trace(NamedTuple):
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray

def trace_head(x, w_q, w_k, w_v):
    q, k, v = (np.einsum("nm,md->nd", x, w) for w in (w_q, w_k, w_v))
    scores = np.inner(q, k)
    weights = scores / np.sqrt(q.shape[-1])
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return Trace(q, k, v, scores, weights, output=weights.dot(v))
