# backend: numpy
# mistake: input-mutated
# style: in place
import numpy as np


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    k *= 1 / float(np.sqrt(q.shape[-1]))
    scores = q @ np.swapaxes(k, -1, -2)
    scores = np.where(np.tri(m, n, n - m, dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
