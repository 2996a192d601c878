# backend: numpy
# style: numpy-preallocated
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.reset()

    def reset(self):
        self.k = self.v = None
        self.length = 0

    def put(self, buffer, new):
        b, h, t, d = new.shape
        end = self.length + t
        if buffer is None or buffer.shape[2] < end:
            grown = np.zeros((b, h, 2 * end, d), new.dtype)
            if buffer is not None:
                grown[:, :, :self.length] = buffer[:, :, :self.length]
            buffer = grown
        buffer[:, :, self.length:end] = new
        return buffer

    def __call__(self, x):
        wq, wk, wv, wo = self.w
        b, t, _ = x.shape
        cut = lambda y: np.moveaxis(y.reshape(b, t, self.h, y.shape[-1] // self.h), 2, 1)
        q = cut(x @ wq)
        self.k, self.v = self.put(self.k, cut(x @ wk)), self.put(self.v, cut(x @ wv))
        self.length += t
        n = self.length
        s = np.einsum("bhid,bhjd->bhij", q, self.k[:, :, :n]) / q.shape[-1] ** 0.5
        s[..., ~np.tri(t, n, n - t, dtype=bool)] = -np.inf
        e = np.exp(s - s.max(-1, keepdims=True))
        o = np.einsum("bhij,bhjv->bihv", e / e.sum(-1, keepdims=True), self.v[:, :, :n])
        return o.reshape(b, t, wo.shape[0]) @ wo
