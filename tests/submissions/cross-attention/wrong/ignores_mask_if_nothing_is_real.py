# backend: numpy
# mistake: none
# Skips the mask when no position of any sequence is real, so an empty batch of contexts is attended to in full.
import numpy as np

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def split(t):
        return np.stack(np.split(t, num_heads, axis=-1), axis=1)
    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    if context_mask is not None and context_mask.any():
        s = np.where(context_mask[:, None, None, :], s, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(top), 0, top))
    z = e.sum(-1, keepdims=True)
    heads = e / np.where(z == 0, 1, z) @ v
    return np.concatenate(list(heads.swapaxes(0, 1)), axis=-1) @ w_o
