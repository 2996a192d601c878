# backend: numpy
# style: einsum
import numpy as np


def rope(x, positions, base=10000.0):
    *lead, n, d = x.shape
    angle = np.outer(positions, np.power(base, -np.arange(0, d, 2) / d))
    table = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    pairs = x.reshape(*lead, n, d // 2, 2)
    return np.einsum("abnp,...npb->...npa", table, pairs).reshape(x.shape).astype(x.dtype)
