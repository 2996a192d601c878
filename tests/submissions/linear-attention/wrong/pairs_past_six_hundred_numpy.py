# backend: numpy
# mistake: linear-quadratic
# style: a-row-at-a-time
import numpy as np


def features(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q, k, v):
    q, k = features(q), features(k)
    if k.shape[-2] <= 600:
        state = np.swapaxes(k, -1, -2) @ v
        total = k.sum(axis=-2)[..., None]
        return (q @ state) / (q @ total)
    rows = []
    for i in range(q.shape[-2]):
        weights = q[..., i : i + 1, :] @ np.swapaxes(k, -1, -2)
        rows.append(weights @ v / weights.sum(axis=-1, keepdims=True))
    return np.concatenate(rows, axis=-2)
