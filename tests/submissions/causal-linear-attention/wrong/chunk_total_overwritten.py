# backend: numpy
# mistake: none
# Works in chunks of 16 but overwrites the carried sum of keys instead of adding to it: wrong from the third chunk on, so for n > 32 only.
import numpy as np

CHUNK = 16

def causal_linear_attention(q, k, v):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k = phi(q), phi(k)
    n = q.shape[-2]
    state = np.zeros(k.shape[:-2] + (k.shape[-1], v.shape[-1]), k.dtype)
    total = np.zeros(k.shape[:-2] + (k.shape[-1],), k.dtype)
    out = np.empty(q.shape[:-1] + v.shape[-1:], q.dtype)
    for s in range(0, n, CHUNK):
        c = slice(s, min(s + CHUNK, n))
        qc, kc, vc = q[..., c, :], k[..., c, :], v[..., c, :]
        local = np.tril(qc @ kc.swapaxes(-1, -2))
        num = local @ vc + qc @ state
        den = local.sum(-1) + (qc * total[..., None, :]).sum(-1)
        out[..., c, :] = num / den[..., None]
        state = state + kc.swapaxes(-1, -2) @ vc
        total = kc.sum(-2)
    return out
