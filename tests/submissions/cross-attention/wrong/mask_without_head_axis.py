# backend: numpy
# mistake: mask-batch-as-heads
# Adds only the query axis to the context mask: (b, 1, n) lines up with the heads, not with the batch.
import numpy as np

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def split(t):
        b, n, w = t.shape
        return t.reshape(b, n, num_heads, w // num_heads).transpose(0, 2, 1, 3)
    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if context_mask is not None:
        s = np.where(context_mask[:, None, :], s, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(top), 0, top))
    z = e.sum(-1, keepdims=True)
    o = (e / np.where(z == 0, 1, z)) @ v
    b, h, m, d = o.shape
    return o.transpose(0, 2, 1, 3).reshape(b, m, h * d) @ w_o
