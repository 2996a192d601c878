# backend: numpy
# mistake: none
import math

import numpy as np


def attend(q, k, v):
    s = k @ q / math.isqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum()) @ v
