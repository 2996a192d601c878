# backend: numpy
# mistake: quantize-floats-kept
import numpy as np


def quantize(w, group, bits=8):
    groups = w.reshape(-1, group, w.shape[-1])
    scales = np.abs(groups).max(axis=1) / (2 ** (bits - 1) - 1)
    q = np.rint(groups / np.where(scales == 0, 1, scales)[:, None, :]).reshape(w.shape)
    room = np.zeros((*w.shape, 8), np.int8)
    room[..., 0] = q
    return room[..., 0], scales


def quantized_linear(x, q, scales):
    count = scales.shape[0]
    parts = x.reshape(*x.shape[:-1], count, -1)
    weights = q.astype(x.dtype).reshape(count, -1, q.shape[-1])
    return (np.einsum("...gi,gio->...go", parts, weights) * scales).sum(axis=-2)
