# backend: numpy
# mistake: cache-shared-between-instances
# Keeps the cache in a mutable default argument, which all objects share until one of them is reset.
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads, cache={}):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.cache = cache

    def reset(self):
        self.cache = {}

    def _split(self, y):
        return np.stack(np.split(y, self.num_heads, axis=-1), axis=1)

    def __call__(self, x):
        q, k, v = self._split(x @ self.w_q), self._split(x @ self.w_k), self._split(x @ self.w_v)
        if "k" in self.cache:
            k = np.concatenate((self.cache["k"], k), axis=-2)
            v = np.concatenate((self.cache["v"], v), axis=-2)
        self.cache.update(k=k, v=v)
        t, n = q.shape[-2], k.shape[-2]
        s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        s = np.where(np.tri(t, n, n - t, dtype=bool), s, -np.inf)
        p = np.exp(s - s.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        return np.concatenate(list(np.moveaxis(p @ v, 1, 0)), axis=-1) @ self.w_o
