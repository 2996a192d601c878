# backend: numpy
# style: numpy
import numpy as np

def grouped_query_attention(q, k, v):
    which = np.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    s = np.einsum("bhmd,bhnd->bhmn", q, k[:, which]) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhmn,bhnv->bhmv", e / e.sum(-1, keepdims=True), v[:, which])
