# backend: torch
# style: adversarial
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        self.n, self.buf = 0, None

    def reset(self):
        self.n, self.buf = 0, None

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).transpose(1, 2) for w in self.w)
        need = self.n + t
        if self.buf is None or self.buf[0].shape[2] < need:
            new = [torch.zeros(b, self.h, 2 * need, y.shape[-1], dtype=x.dtype) for y in (k, v)]
            if self.buf is not None:
                for old, to in zip(self.buf, new):
                    to[:, :, : self.n] = old[:, :, : self.n]
            self.buf = new
        self.buf = [torch.cat([o[:, :, : self.n], y, o[:, :, need:]], 2) for o, y in zip(self.buf, (k, v))]
        self.n = need
        k, v = (o[:, :, :need] for o in self.buf)
        n = k.shape[2]
        ok = torch.ones(t, n, dtype=torch.bool).tril(n - t)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~ok, float("-inf"))
        return (s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1) @ self.w_o
