# backend: numpy
# mistake: scale-by-d-model
# style: numpy-per-head
import numpy as np

def softmax(s, axis=-1):
    top = s.max(axis=axis, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(axis=axis, keepdims=True)
    return e / np.where(z > 0, z, 1)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    n, width = x.shape[-2], x.shape[-1]
    outs = []
    for i, (a, b, c) in enumerate(zip(*(np.split(w, num_heads, 1) for w in (w_q, w_k, w_v)))):
        s = (x @ a) @ np.swapaxes(x @ b, -1, -2) / width ** 0.5
        if mask is not None:
            s = np.where(np.broadcast_to(mask, (*x.shape[:-2], num_heads, n, n))[..., i, :, :], s, -np.inf)
        outs.append(softmax(s) @ (x @ c))
    return np.concatenate(outs, -1) @ w_o
