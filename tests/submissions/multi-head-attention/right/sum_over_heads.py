# backend: numpy
import numpy as np

def _rows(scores, allowed):
    if allowed is None:
        allowed = np.ones(scores.shape[-2:], dtype=bool)
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    top = np.where(np.isneginf(top), 0, top)
    e = np.where(allowed, np.exp(np.minimum(scores - top, 0)), 0)
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    columns = lambda w, i: w[:, i * w.shape[1] // num_heads : (i + 1) * w.shape[1] // num_heads]
    rows = w_o.shape[0] // num_heads
    total = None
    for i in range(num_heads):
        q, k, v = (x @ columns(w, i) for w in (w_q, w_k, w_v))
        own = mask
        if mask is not None and mask.ndim > 2:
            own = np.take(mask, min(i, mask.shape[-3] - 1), axis=-3)
        part = _rows(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, own) @ v @ w_o[i * rows : (i + 1) * rows]
        total = part if total is None else total + part
    return total
