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
        self.k, self.v = [], []
    def append(self, k, v):
        self.dtype = k.dtype
        self.k += k.swapaxes(0, 2).tolist()
        self.v += v.swapaxes(0, 2).tolist()
    def stored(self):
        k, v = (np.array(each, self.dtype).swapaxes(0, 2) for each in (self.k, self.v))
        return (*quantize(k), *quantize(v))
    def attend(self, q):
        return over(q, self.stored())
