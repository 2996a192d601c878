# backend: torch
# mistake: sinks-grow
import torch


class SinkCache:
    """A dict of tokens; those outside of the window are never removed."""
    def __init__(self, sinks, window):
        self.sinks, self.window, self.n, self.tokens = sinks, window, 0, {}
    def append(self, k, v):
        for pair in zip(k, v):
            self.tokens[self.n] = pair
            self.n += 1
    def _places(self):
        return [j for j in range(self.n) if j < self.sinks or j >= self.n - self.window]
    def kept(self):
        k, v = zip(*[self.tokens[j] for j in self._places()])
        return torch.stack(k), torch.stack(v)
    def positions(self):
        return torch.tensor(self._places())
    def attend(self, q):
        k, v = self.kept()
        return torch.softmax(q @ k.T / q.shape[1] ** 0.5, -1) @ v
