# backend: numpy
# mistake: linear-chunk-seen
import numpy as np


def causal_linear_attention(q, k, v):
    q, k = (np.where(a > 0, a + 1, np.exp(np.minimum(a, 0))) for a in (q, k))
    out = np.empty(v.shape, v.dtype)
    s, z = 0, 0
    for i in range(0, q.shape[-2], 8):
        kc, vc, qc = k[..., i : i + 8, :], v[..., i : i + 8, :], q[..., i : i + 8, :]
        s = s + kc.swapaxes(-1, -2) @ vc
        z = z + kc.sum(-2, keepdims=True)
        out[..., i : i + 8, :] = (qc @ s) / (qc @ z.swapaxes(-1, -2))
    return out
