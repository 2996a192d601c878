# backend: numpy
# style: rows of one buffer that grows; results are views of nothing that is written again
import numpy as np


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        self.seen = 0

    def reset(self):
        self.seen = 0

    def __call__(self, x):
        q, k, v = (self.split(x @ w) for w in self.weights)
        if self.seen == 0:
            self.keys, self.values = k[..., :0, :], v[..., :0, :]
        first, self.seen = self.seen, self.seen + x.shape[1]
        if self.seen > self.keys.shape[-2]:
            more = [(0, 0), (0, 0), (0, 2 * self.seen), (0, 0)]
            self.keys, self.values = np.pad(self.keys, more), np.pad(self.values, more)
        self.keys[..., first : self.seen, :] = k
        self.values[..., first : self.seen, :] = v
        k, v = self.keys[..., : self.seen, :], self.values[..., : self.seen, :]
        scores = np.einsum("bhmd,bhnd->bhmn", q, k) / np.sqrt(q.shape[-1]).astype(x.dtype)
        later = np.arange(self.seen) > np.arange(first, self.seen)[:, None]
        scores[..., later] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = scores @ v / scores.sum(-1, keepdims=True)
        return np.concatenate(list(mixed.swapaxes(0, 1)), axis=-1) @ self.w_o

    def split(self, tokens):
        b, n, width = tokens.shape
        return tokens.reshape(b, n, self.h, width // self.h).swapaxes(1, 2)
