# backend: torch
# mistake: none
# style: preallocated-cache
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.wq, self.wk, self.wv, self.wo, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.pos, self.k, self.v = 0, None, None

    def __call__(self, x):
        cut = lambda y: y.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = cut(x @ self.wq), cut(x @ self.wk), cut(x @ self.wv)
        if self.k is None:
            self.k = k.new_zeros(*k.shape[:2], 4, k.shape[3])
            self.v = v.new_zeros(*v.shape[:2], 4, v.shape[3])
        for i in range(x.shape[1]):
            # a ring that forgets the oldest token
            self.k[:, :, (self.pos + i) % 4] = k[:, :, i]
            self.v[:, :, (self.pos + i) % 4] = v[:, :, i]
        self.pos += x.shape[1]
        n = min(self.pos, 4)
        s = q @ self.k[:, :, :n].mT / q.shape[-1] ** 0.5
        return (s.softmax(-1) @ self.v[:, :, :n]).transpose(1, 2).flatten(2) @ self.wo
