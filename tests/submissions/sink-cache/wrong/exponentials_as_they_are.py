# backend: torch
# mistake: none
# style: exponentials as they are
import torch


class SinkCache:
    def __init__(self, sinks, window):
        self.sinks, self.window, self.n = sinks, window, 0
        self.at = torch.full((sinks + window,), -1, dtype=torch.int64)

    def append(self, k, v):
        if self.n == 0:
            self.k = k.new_zeros(len(self.at), k.shape[1])
            self.v = v.new_zeros(len(self.at), v.shape[1])
        for key, value in zip(k, v):
            slot = self.n
            if slot >= self.sinks:
                slot = self.sinks + (self.n - self.sinks) % self.window
            self.k[slot], self.v[slot], self.at[slot] = key, value, self.n
            self.n += 1

    def _order(self):
        order = torch.argsort(self.at)
        keep = (self.at[order] >= self.n - self.window) | (self.at[order] < self.sinks)
        return order[keep & (self.at[order] >= 0)]

    def kept(self):
        order = self._order()
        return self.k[order], self.v[order]

    def positions(self):
        return self.at[self._order()]

    def attend(self, q):
        k, v = self.kept()
        shares = torch.exp(q @ k.T / q.shape[-1] ** 0.5)
        return shares @ v / shares.sum(-1, keepdim=True)
