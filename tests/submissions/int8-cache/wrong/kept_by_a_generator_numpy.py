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


def keeper():
    pieces = []
    while True:
        new = yield pieces
        if new is not None:
            pieces.append(new)


class Int8Cache:
    def __init__(self):
        self.frame = keeper()
        next(self.frame)
    def append(self, k, v):
        self.frame.send((k.copy(), v.copy()))
    def stored(self):
        k, v = (np.concatenate(each, 2) for each in zip(*next(self.frame)))
        return (*quantize(k), *quantize(v))
    def attend(self, q):
        return over(q, self.stored())
