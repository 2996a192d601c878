# backend: numpy
# style: loops
import math
import numpy as np

def attention(q, k, v):
    m, d = q.shape[-2:]
    n, dv = v.shape[-2:]
    out = np.zeros(q.shape[:-1] + (dv,), dtype=q.dtype)
    for idx in np.ndindex(*q.shape[:-2]):
        for i in range(m):
            logits = [float(q[idx][i] @ k[idx][j]) / math.sqrt(d) for j in range(n)]
            top = max(logits)
            e = [math.exp(z - top) for z in logits]
            total = sum(e)
            acc = np.zeros(dv)
            for j in range(n):
                acc += e[j] / total * v[idx][j]
            out[idx][i] = acc
    return out
