# backend: numpy
# mistake: sinks-grow
import numpy as np


class SinkCache:
    def __init__(self, sinks, window):
        self.sinks, self.window, self.n, self.pieces = sinks, window, 0, []
    def append(self, k, v):
        self.pieces.append((self.n, k.copy(), v.copy()))
        self.n += len(k)
    def _all(self):
        return [(start + i, k[i], v[i]) for start, k, v in self.pieces for i in range(len(k)) if start + i < self.sinks or start + i >= self.n - self.window]
    def kept(self):
        _, k, v = zip(*self._all())
        return np.array(k), np.array(v)
    def positions(self):
        return np.array([each[0] for each in self._all()])
    def attend(self, q):
        k, v = self.kept()
        s = q @ k.T / q.shape[1] ** 0.5
        e = np.exp(s - s.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True) @ v
