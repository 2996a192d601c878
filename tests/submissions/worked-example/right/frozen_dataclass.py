# backend: numpy
from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

@dataclass(frozen=True)
class Trace:
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x.dot(w_q), x.dot(w_k), x.dot(w_v)
    scores = q.dot(k.T)
    e = np.exp((scores - scores.max(1)[:, None]) / q.shape[1] ** 0.5)
    weights = e / e.sum(1)[:, None]
    return astuple(Trace(q, k, v, scores, weights, weights.dot(v)))

if __name__ == "__main__":
    print(trace_head(*np.random.rand(4, 3, 3)))
