# backend: numpy
# mistake: quantize-scale-missing
import numpy as np


def quantize(w, group, bits=8):
    top = (1 << bits - 1) - 1
    q = np.zeros(w.shape, dtype=np.int8)
    scales = np.zeros((w.shape[0] // group, w.shape[1]), dtype=w.dtype)
    for g in range(scales.shape[0]):
        rows = slice(g * group, (g + 1) * group)
        for j in range(w.shape[1]):
            largest = np.abs(w[rows, j]).max()
            if largest > 0:
                scales[g, j] = largest / top
                q[rows, j] = np.round(w[rows, j] / scales[g, j])
    return q, scales


def quantized_linear(x, q, scales):
    group = q.shape[0] // scales.shape[0]
    y = np.zeros((*x.shape[:-1], q.shape[1]), dtype=x.dtype)
    for g in range(scales.shape[0]):
        rows = slice(g * group, (g + 1) * group)
        y += x[..., rows] @ q[rows].astype(x.dtype)
    return y
