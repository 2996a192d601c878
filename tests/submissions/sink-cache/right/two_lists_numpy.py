# backend: numpy
from collections import deque

import numpy as np


class SinkCache:
    def __init__(self, sinks, window):
        self.first, self.latest = [], deque(maxlen=window)
        self.sinks, self.n = sinks, 0

    def append(self, k, v):
        for pair in zip(k.copy(), v.copy()):
            if self.n < self.sinks:
                self.first.append((self.n, *pair))
            self.latest.append((self.n, *pair))
            self.n += 1

    def _all(self):
        return self.first + [each for each in self.latest if each[0] >= self.sinks]

    def kept(self):
        _, k, v = zip(*self._all())
        return np.array(k), np.array(v)

    def positions(self):
        return np.array([place for place, _, _ in self._all()])

    def attend(self, q):
        k, v = self.kept()
        e = np.exp((s := np.einsum("md,cd->mc", q, k) / q.shape[1] ** 0.5) - s.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True) @ v
