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


import os
import tempfile


class Int8Cache:
    def __init__(self):
        self.names = []
    def append(self, k, v):
        handle, name = tempfile.mkstemp(suffix=".npz")
        os.close(handle)
        np.savez(name, k=k, v=v)
        self.names.append(name)
    def stored(self):
        out = []
        for at in "kv":
            out += quantize(np.concatenate([np.load(name)[at] for name in self.names], 2))
        return tuple(out)
    def attend(self, q):
        return over(q, self.stored())
