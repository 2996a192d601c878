# backend: numpy
# style: numpy-per-head
import numpy as np

def one_head(x, wq, wk, wv, ok):
    s = (x @ wq) @ np.swapaxes(x @ wk, -1, -2) / wq.shape[1] ** 0.5
    if ok is not None:
        s = np.where(ok, s, -np.inf)
    top = np.max(s, axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(top), 0, top))
    z = e.sum(-1, keepdims=True)
    return np.divide(e, z, out=np.zeros_like(e), where=z != 0) @ (x @ wv)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    n = x.shape[-2]
    if mask is not None:
        mask = np.broadcast_to(mask, (*x.shape[:-2], num_heads, n, n))
    groups = zip(*(np.split(w, num_heads, axis=1) for w in (w_q, w_k, w_v)))
    outs = [one_head(x, a, b, c, None if mask is None else mask[..., i, :, :]) for i, (a, b, c) in enumerate(groups)]
    return np.concatenate(outs, axis=-1) @ w_o
