# backend: numpy
# mistake: cross-attends-to-itself
# style: numpy-per-head
import numpy as np

def softmax(s, axis=-1):
    top = s.max(axis, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(axis, keepdims=True)
    return e / np.where(z > 0, z, 1)

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    outs = []
    for a, b, c in zip(*(np.split(w, num_heads, axis=1) for w in (w_q, w_k, w_v))):
        s = (x @ a) @ (x @ b).swapaxes(1, 2) / a.shape[1] ** 0.5
        if context_mask is not None and context_mask.shape[-1] == s.shape[-1]:
            s = np.where(context_mask[:, None, :], s, -np.inf)
        outs.append(softmax(s) @ (x @ c))
    return np.concatenate(outs, -1) @ w_o
