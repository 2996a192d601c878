# backend: numpy
# style: two files
import numpy as np
from split_heads import merge_heads, split_heads


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v
        self.w_o = w_o
        self.h = num_heads
        self.reset()

    def reset(self):
        self.past = []

    def __call__(self, x):
        q, k, v = (split_heads(x @ w, self.h) for w in self.w)
        self.past.append((k, v))
        k, v = (np.concatenate(part, axis=-2) for part in zip(*self.past))
        m, n = q.shape[-2], k.shape[-2]
        s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        s[..., ~np.tri(m, n, n - m, dtype=bool)] = -np.inf
        e = np.exp(s - s.max(-1, keepdims=True))
        return merge_heads(e / e.sum(-1, keepdims=True) @ v) @ self.w_o
