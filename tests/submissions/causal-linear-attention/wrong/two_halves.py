# backend: numpy
# mistake: linear-quadratic
# Works in two chunks, each with a table of its tokens by its tokens: a table of a quarter of n squared.
import numpy as np

def causal_linear_attention(q, k, v):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k = phi(q), phi(k)
    half = -(-q.shape[-2] // 2)
    outs = []
    state = total = 0
    for part in (slice(0, half), slice(half, None)):
        a, b, c = q[..., part, :], k[..., part, :], v[..., part, :]
        w = np.tril(a @ b.swapaxes(-1, -2))
        num, den = w @ c, w.sum(-1, keepdims=True)
        if outs:
            num, den = num + a @ state, den + a @ total
        outs.append(num / den)
        state, total = b.swapaxes(-1, -2) @ c, b.sum(-2)[..., None]
    return np.concatenate(outs, -2)
