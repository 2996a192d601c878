# backend: numpy
# mistake: none
# style: exponentials as they are
import numpy as np


class Int8Cache:
    def __init__(self):
        self.tokens = []  # of each token: key, its scale, value, its scale

    def append(self, k, v):
        for t in range(k.shape[2]):
            entry = []
            for row in (k[:, :, t], v[:, :, t]):
                scale = np.abs(row).max(-1, keepdims=True) / 127
                with np.errstate(divide="ignore", invalid="ignore"):
                    ratio = np.where(scale > 0, row / scale, 0)
                entry += [np.round(ratio).astype("int8"), scale]
            self.tokens.append(entry)

    def stored(self):
        return tuple(np.stack(part, axis=2) for part in zip(*self.tokens))

    def attend(self, q):
        k, ks, v, vs = self.stored()
        keys = (k * ks).astype(q.dtype)
        values = (v * vs).astype(q.dtype)
        s = np.einsum("bhmd,bhnd->bhmn", q, keys) / q.shape[-1] ** 0.5
        e = np.exp(s)
        return np.einsum("bhmn,bhnd->bhmd", e / e.sum(-1, keepdims=True), values)
