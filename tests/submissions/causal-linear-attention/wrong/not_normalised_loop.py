# backend: numpy
# mistake: linear-normaliser-missing
# style: loops
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def causal_linear_attention(q, k, v):
    q, k, S, outs = phi(q), phi(k), 0, []
    for i in range(q.shape[-2]):
        S = S + k[..., i, :, None] * v[..., i, None, :]
        outs.append((q[..., i, :, None] * S).sum(-2))
    return np.stack(outs, -2)
