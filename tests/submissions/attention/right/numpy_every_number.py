# backend: numpy
# style: loops
import numpy as np


def attention(q, k, v):
    batch = q.shape[:-2]
    m, n, d, d_v = q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1]
    out = np.zeros((*batch, m, d_v))
    for b in np.ndindex(*batch):
        keys, values = k[b].tolist(), v[b].tolist()
        for i, query in enumerate(q[b].tolist()):
            scores = [sum(x * y for x, y in zip(query, key)) / np.sqrt(d) for key in keys]
            top = max(scores)
            weights = [np.exp(score - top) for score in scores]
            total = sum(weights)
            for c in range(d_v):
                out[b][i, c] = sum(weights[j] * values[j][c] for j in range(n)) / total
    return out
