# backend: numpy
# style: unusual
import numpy as np

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    cut = lambda w: np.stack(np.split(w, num_heads, axis=1))
    q, k, v = x[:, None] @ cut(w_q), context[:, None] @ cut(w_k), context[:, None] @ cut(w_v)
    s = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[-1]).astype(q.dtype)
    ok = np.ones((len(x), context.shape[1]), bool) if context_mask is None else context_mask
    ok = ok[:, None, None, :]
    e = np.where(ok, np.exp(s - np.where(ok, s, np.finfo(s.dtype).min).max(-1, keepdims=True)), 0) if ok.all() else np.exp(np.where(ok, s - np.where(ok, s, np.finfo(s.dtype).min).max(-1, keepdims=True), -np.inf))
    z = e.sum(-1, keepdims=True)
    heads = e @ v / np.where(z == 0, z.dtype.type(1), z)
    return np.concatenate(np.moveaxis(heads, 1, 0), axis=-1) @ w_o
