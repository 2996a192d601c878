# backend: numpy
# style: loops
import numpy as np

def masked_attention(q, k, v, mask):
    mask = np.broadcast_to(mask, q.shape[:-1] + (k.shape[-2],))
    out = np.zeros(q.shape[:-1] + (v.shape[-1],), q.dtype)
    for idx in np.ndindex(*q.shape[:-1]):
        b, keep = idx[:-1], mask[idx]
        if keep.any():
            s = k[b][keep] @ q[idx] / q.shape[-1] ** 0.5
            e = np.exp(s - s.max())
            out[idx] = (e / e.sum()) @ v[b][keep]
    return out
