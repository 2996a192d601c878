# backend: numpy
# mistake: int8-floats-kept
import numpy as np


def quantize(rows):
    scales = np.abs(rows).max(axis=-1, keepdims=True) / 127
    whole = np.rint(rows / np.where(scales == 0, 1, scales))
    return whole.astype(np.int8), scales


def over(q, parts):
    keys, key_scales, values, value_scales = parts
    scores = q @ keys.swapaxes(-1, -2).astype(q.dtype) * key_scales.swapaxes(-1, -2)
    scores = scores / np.sqrt(q.shape[-1]).astype(q.dtype)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ (values.astype(q.dtype) * value_scales)


class Int8Cache:
    def __init__(self):
        self.pieces = []
    def append(self, k, v):
        (a, s), (b, r) = quantize(k), quantize(v)
        self.pieces.append((a.astype(np.int32), s, b.astype(np.int32), r))
    def stored(self):
        a, s, b, r = (np.concatenate(each, 2) for each in zip(*self.pieces))
        return a.astype(np.int8), s, b.astype(np.int8), r
    def attend(self, q):
        return over(q, self.stored())
