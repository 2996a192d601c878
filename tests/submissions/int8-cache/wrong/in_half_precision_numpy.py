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
        top = [np.abs(x).max(-1, keepdims=True) for x in (k, v)]
        self.pieces.append([(x / np.where(m == 0, 1, m)).astype(np.float16) for x, m in zip((k, v), top)] + top)
    def stored(self):
        k, v, a, b = (np.concatenate(each, 2) for each in zip(*self.pieces))
        return (np.rint(k.astype(a.dtype) * 127).astype(np.int8), a / 127, np.rint(v.astype(b.dtype) * 127).astype(np.int8), b / 127)
    def attend(self, q):
        return over(q, self.stored())
