# backend: numpy
# style: numpy-loops
import numpy as np

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    out = np.zeros((x.shape[0], x.shape[1], w_o.shape[1]), dtype=x.dtype)
    for b in range(len(x)):
        c = context[b] if context_mask is None else context[b][context_mask[b]]
        if len(c) == 0:
            continue
        parts = []
        for wq, wk, wv in zip(*(np.split(w, num_heads, axis=1) for w in (w_q, w_k, w_v))):
            s = (x[b] @ wq) @ (c @ wk).T / wq.shape[1] ** 0.5
            e = np.exp(s - s.max(1, keepdims=True))
            parts.append((e / e.sum(1, keepdims=True)) @ (c @ wv))
        out[b] = np.concatenate(parts, 1) @ w_o
    return out
