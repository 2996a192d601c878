# backend: numpy
# mistake: linear-quadratic
# Works in sixteen chunks whatever n is: a sixteenth of the quadratic cost.
import numpy as np

def causal_linear_attention(q, k, v):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k = phi(q), phi(k)
    n = q.shape[-2]
    chunk = max(1, -(-n // 16))
    state = np.zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]), k.dtype)
    total = np.zeros((*k.shape[:-2], k.shape[-1], 1), k.dtype)
    outs = []
    for s in range(0, n, chunk):
        a, b, c = (t[..., s : s + chunk, :] for t in (q, k, v))
        w = np.tril(a @ b.swapaxes(-1, -2))
        outs.append((w @ c + a @ state) / (w.sum(-1, keepdims=True) + a @ total))
        state = state + b.swapaxes(-1, -2) @ c
        total = total + b.sum(-2)[..., None]
    return np.concatenate(outs, -2)
