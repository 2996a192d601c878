# backend: numpy
import numpy as np


def mla_decode(q, q_r, c, k_r, w_uk, w_uv):
    root = q.dtype.type(np.sqrt(q.shape[1] + q_r.shape[1]))
    keys = np.concatenate([c, k_r], axis=1)  # what is shared by all heads
    out = []
    for h in range(len(q)):
        asking = np.concatenate([w_uk[h] @ q[h], q_r[h]])
        s = keys @ asking / root
        e = np.exp(s - s.max())
        out.append((e / e.sum()) @ c @ w_uv[h])
    return np.stack(out)
