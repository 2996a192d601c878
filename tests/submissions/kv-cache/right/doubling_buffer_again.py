# backend: numpy
import numpy as np

class _Buffer:
    def __init__(self):
        self.data, self.length = None, 0

    def append(self, block):
        b, h, t, d = block.shape
        need = self.length + t
        if self.data is None or need > self.data.shape[2]:
            grown = np.empty((b, h, 2 * need, d), block.dtype)
            if self.data is not None:
                grown[:, :, : self.length] = self.data[:, :, : self.length]
            self.data = grown
        self.data[:, :, self.length : need] = block
        self.length = need
        return self.data[:, :, :need]

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.keys, self.values = _Buffer(), _Buffer()

    def _split(self, y):
        return np.stack(np.split(y, self.h, axis=-1), axis=1)

    def __call__(self, x):
        q = self._split(x @ self.w_q)
        k = self.keys.append(self._split(x @ self.w_k))
        v = self.values.append(self._split(x @ self.w_v))
        t, n = q.shape[2], k.shape[2]
        s = q @ k.swapaxes(2, 3) / q.shape[-1] ** 0.5
        s = np.where(np.tri(t, n, n - t, dtype=bool), s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        heads = e / e.sum(-1, keepdims=True) @ v
        return np.concatenate(tuple(heads.swapaxes(0, 1)), axis=-1) @ self.w_o
