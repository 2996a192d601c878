# backend: numpy
# style: unusual
import numpy as np

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(w):
        return np.stack(np.split(w, num_heads, axis=1))
    y = np.expand_dims(x, -3)
    q, k, v = y @ heads(w_q), y @ heads(w_k), y @ heads(w_v)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(x.dtype)
    ok = np.bool_(True) if mask is None else mask
    top = np.max(np.where(ok, s, np.finfo(s.dtype).min), -1, keepdims=True)
    e = np.where(ok, np.exp(np.minimum(s - top, 0)), 0)
    z = e.sum(-1, keepdims=True)
    parts = (e / (z + (z == 0))) @ v @ np.stack(np.split(w_o, num_heads))
    return parts.sum(-3)
