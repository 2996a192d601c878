# backend: numpy
# mistake: mask-sees-next
# style: loops
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    rows = []
    for i in range(m):
        stop = i + n - m + 2
        s = np.einsum("...d,...nd->...n", q[..., i, :], k[..., :stop, :]) / q.shape[-1] ** 0.5
        e = np.exp(s - s.max(-1, keepdims=True))
        rows.append(np.einsum("...n,...nv->...v", e / e.sum(-1, keepdims=True), v[..., :stop, :]))
    return np.stack(rows, axis=-2)
