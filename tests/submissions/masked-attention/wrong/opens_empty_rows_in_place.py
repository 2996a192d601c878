# backend: numpy
# mistake: input-mutated
# Opens the empty rows of the caller's mask in place to avoid 0 / 0 and zeroes the results later: the mask is changed, only when it has an empty row.
import numpy as np

def masked_attention(q, k, v, mask):
    empty = ~mask.any(axis=-1)
    mask[empty] = True
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    s = np.where(mask, s, -np.inf)
    s = s - s.max(axis=-1, keepdims=True)
    w = np.exp(s)
    w = w / w.sum(axis=-1, keepdims=True)
    out = w @ v
    return np.where(np.broadcast_to(empty[..., None], out.shape[:-1] + (1,)), 0, out).astype(v.dtype)
