# backend: numpy
import numpy as np


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    outs = []
    for i in range(len(x)):
        c = context[i] if context_mask is None else context[i][context_mask[i]]
        qs, ks, vs = np.split(x[i] @ w_q, num_heads, -1), np.split(c @ w_k, num_heads, -1), np.split(c @ w_v, num_heads, -1)
        heads = []
        for q, k, v in zip(qs, ks, vs):
            if len(k) == 0:
                heads.append(np.zeros((len(q), v.shape[-1]), x.dtype))
                continue
            s = q @ k.T / q.shape[-1] ** 0.5
            e = np.exp(s - s.max(-1, keepdims=True))
            heads.append(e / e.sum(-1, keepdims=True) @ v)
        outs.append(np.concatenate(heads, -1) @ w_o)
    return np.stack(outs)
