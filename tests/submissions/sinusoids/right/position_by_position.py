# backend: numpy
# style: loop over positions
import math

import numpy as np


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    rows = []
    for t in positions:
        angles = [float(t) / math.pow(base, 2 * i / d) for i in range(d // 2)]
        rows.append([f(a) for a in angles for f in (math.sin, math.cos)])
    return x + np.array(rows, dtype=x.dtype)
