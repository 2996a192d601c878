# backend: numpy
# mistake: groups-tiled
# Gives the query heads the axes (member, group) instead of (group, member), so that heads take key heads in turns.
import numpy as np

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    kv = k.shape[1]
    q = q.reshape(b, h // kv, kv, m, d)
    s = np.einsum("bghmd,bhnd->bghmn", q, k) / np.sqrt(d)
    s = np.exp(s - s.max(-1, keepdims=True))
    s = s / s.sum(-1, keepdims=True)
    return np.einsum("bghmn,bhnv->bghmv", s, v).reshape(b, h, m, v.shape[-1])
