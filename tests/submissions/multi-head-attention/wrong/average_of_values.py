# backend: numpy
# mistake: softmax-dropped
# style: mean
import numpy as np

def softmax(s, axis=-1):
    top = s.max(axis=axis, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(axis=axis, keepdims=True)
    return e / np.where(z > 0, z, 1)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    v = (x @ w_v).mean(-2, keepdims=True)
    return np.broadcast_to(v @ w_o, (*x.shape[:-1], w_o.shape[1])).copy()
