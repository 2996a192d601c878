# backend: numpy
import math

import numpy as np


def attend(q, k, v):
    n, d = k.shape
    scores = [math.fsum(float(a) * float(b) for a, b in zip(row, q)) / math.sqrt(d) for row in k]
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    z = math.fsum(powers)
    out = [math.fsum(p / z * float(v[j, c]) for j, p in enumerate(powers)) for c in range(v.shape[1])]
    return np.array(out, dtype=q.dtype)
