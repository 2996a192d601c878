# backend: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    m, n = q.shape[-2], k.shape[-2]
    mask = np.broadcast_to(mask, batch + (m, n))
    out = np.zeros(batch + (m, v.shape[-1]), v.dtype)
    for index in np.ndindex(*batch, m):
        seen = np.flatnonzero(mask[index])
        if seen.size:
            *b, i = index
            b = tuple(b)
            s = k[b][seen] @ q[b][i] / q.shape[-1] ** 0.5
            e = np.exp(s - s.max())
            out[index] = e @ v[b][seen] / e.sum()
    return out
