# backend: numpy
import numpy as np


class Int8Cache:
    """Closures over arrays that grow by a third when they are full."""

    def __init__(self):
        n, room = 0, None

        def append(k, v):
            nonlocal n, room
            b, h, t, d = k.shape
            if room is None:
                room = [np.empty((b, h, 0, w), kind) for w, kind in ((d, np.int8), (1, k.dtype)) * 2]
            short = n + t - room[0].shape[2]
            if short > 0:
                more = max(short, room[0].shape[2] // 3)
                room = [np.pad(each, ((0, 0), (0, 0), (0, more), (0, 0))) for each in room]
            for at, rows in ((0, k), (2, v)):
                scale = abs(rows).max(-1, keepdims=True) / 127
                room[at][:, :, n : n + t] = np.round(rows / np.where(scale, scale, 1))
                room[at + 1][:, :, n : n + t] = scale
            n += t

        self.append = append
        self.stored = lambda: tuple(each[:, :, :n].copy() for each in room)

    def attend(self, q):
        k, ks, v, vs = self.stored()
        s = q @ (k * ks).astype(q.dtype).swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
        e = np.exp(s - s.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True) @ (v * vs).astype(q.dtype)
