# backend: numpy
# mistake: clip-length-wrong
import math

import numpy as np


def rate(step, peak, warmup, total, floor=0.0):
    rise = min(step + 1, warmup) / warmup if warmup else 1.0
    x = max(0, step - warmup) / (total - 1 - warmup)
    return rise * peak - (peak - floor) * math.sin(math.pi * x / 2) ** 2


def clipped(first, second, most):
    length = np.linalg.norm(first) + np.linalg.norm(second)
    return tuple(each * min(1, most / length) for each in (first, second))
