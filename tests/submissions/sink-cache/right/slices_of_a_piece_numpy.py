# backend: numpy
import numpy as np


class SinkCache:
    """Views of the first piece and of the latest ones."""

    def __init__(self, sinks, window):
        self.sinks, self.window, self.n = sinks, window, 0
        self.first, self.latest = [], []

    def append(self, k, v):
        rows = np.stack([k, v])
        left = max(0, self.sinks - self.n)
        if left:
            self.first.append(rows[:, :left])
        self.latest.append((self.n, rows))
        self.n += len(k)
        self.latest = [(at, each) for at, each in self.latest if at + each.shape[1] > self.n - self.window]

    def _all(self):
        begin = max(self.n - self.window, self.sinks)
        late = [each[:, max(0, begin - at) :] for at, each in self.latest]
        places = np.r_[: min(self.n, self.sinks), begin : max(self.n, begin)]
        return places.astype(np.int64), np.concatenate([*self.first, *late], 1)

    def kept(self):
        return tuple(self._all()[1])

    def positions(self):
        return self._all()[0]

    def attend(self, q):
        k, v = self.kept()
        s = q @ k.T / np.sqrt(q.shape[1]).astype(q.dtype)
        e = np.exp(s - s.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True) @ v
