# backend: numpy
# style: loop over queries
import numpy as np


def sliding_window_attention(q, k, v, window):
    m, n, d = q.shape[-2], k.shape[-2], q.shape[-1]
    rows = []
    for i in range(m):
        end = n - m + i + 1
        start = max(0, end - window)
        s = np.einsum("...d,...nd->...n", q[..., i, :], k[..., start:end, :]) / np.sqrt(d)
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        e /= e.sum(axis=-1, keepdims=True)
        rows.append(np.einsum("...n,...nd->...d", e, v[..., start:end, :]))
    return np.stack(rows, axis=-2)
