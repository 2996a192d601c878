# backend: torch
# style: preallocated-cache
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.wq, self.wk, self.wv, self.wo, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.n = 0
        self.k = self.v = None

    def room(self, buffer, like, need):
        if buffer is None:
            return like.new_zeros(*like.shape[:2], max(8, need), like.shape[-1])
        if buffer.shape[2] < need:
            bigger = buffer.new_zeros(*buffer.shape[:2], 2 * need, buffer.shape[-1])
            bigger[:, :, :self.n] = buffer[:, :, :self.n]
            return bigger
        return buffer

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = (torch.stack((x @ w).chunk(self.h, -1), 1) for w in (self.wq, self.wk, self.wv))
        end = self.n + t
        self.k, self.v = self.room(self.k, k, end), self.room(self.v, v, end)
        self.k[:, :, self.n:end] = k
        self.v[:, :, self.n:end] = v
        s = q @ self.k[:, :, :end].mT / q.shape[-1] ** 0.5
        pos = torch.arange(end, device=x.device)
        s = s.masked_fill(pos[None, :] > pos[self.n:, None], -torch.inf)
        out = s.softmax(-1) @ self.v[:, :, :end]
        self.n = end
        return torch.cat(out.unbind(1), -1) @ self.wo
