# backend: torch
# mistake: sinks-grow
import torch


class SinkCache:
    def __init__(self, sinks, window):
        self.sinks, self.window, self.n, self.pieces = sinks, window, 0, []
    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))
        self.n += len(k)
    def _all(self):
        at = torch.arange(self.n)
        stay = (at < self.sinks) | (at >= self.n - self.window)
        k, v = (torch.cat(each) for each in zip(*self.pieces))
        return at[stay], k[stay], v[stay]
    def kept(self):
        return self._all()[1:]
    def positions(self):
        return self._all()[0]
    def attend(self, q):
        k, v = self.kept()
        return torch.softmax(q @ k.T / q.shape[1] ** 0.5, -1) @ v
