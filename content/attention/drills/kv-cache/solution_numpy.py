# backend: numpy
import math

import numpy as np


class CachedAttention:
    """Causal multi-head attention over a sequence that arrives piece by piece."""

    def __init__(
        self,
        w_q: np.ndarray,
        w_k: np.ndarray,
        w_v: np.ndarray,
        w_o: np.ndarray,
        num_heads: int,
    ) -> None:
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.reset()

    def reset(self) -> None:
        """Forget everything seen so far."""
        self.keys: np.ndarray | None = None  # (b, h, n, d_head)
        self.values: np.ndarray | None = None  # (b, h, n, d_v)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The outputs of the new tokens: (b, t, d_model) to (b, t, d_model)."""
        q = self.split(x @ self.w_q)  # (b, h, t, d_head)
        self.keys = extend(self.keys, self.split(x @ self.w_k))
        self.values = extend(self.values, self.split(x @ self.w_v))

        t, n = q.shape[-2], self.keys.shape[-2]
        scores = q @ self.keys.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (b, h, t, n)
        scores = np.where(np.tri(t, n, k=n - t, dtype=bool), scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        heads = weights @ self.values  # (b, h, t, d_v)
        return heads.swapaxes(1, 2).reshape(*x.shape[:2], -1) @ self.w_o

    def split(self, x: np.ndarray) -> np.ndarray:
        """(b, t, h * d) to (b, h, t, d)."""
        b, t, width = x.shape
        return x.reshape(b, t, self.num_heads, width // self.num_heads).swapaxes(1, 2)


def extend(past: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    """What was cached, followed by what is new, along the tokens."""
    return new if past is None else np.concatenate([past, new], axis=-2)
