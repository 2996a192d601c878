# backend: numpy
import math

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(b, t, h * d) to (b, h, t, d)."""
    b, t, width = x.shape
    return x.reshape(b, t, num_heads, width // num_heads).swapaxes(1, 2)


def extend(past: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    """What was cached, followed by what is new, along the tokens: (b, h, n, d); None is nothing."""
    return new if past is None else np.concatenate([past, new], axis=-2)


def causal_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Causal attention of the last t of n positions: (b, h, t, d_v).

    q: (b, h, t, d_head)    k: (b, h, n, d_head)    v: (b, h, n, d_v)
    """
    t, n = q.shape[-2], k.shape[-2]
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (b, h, t, n)
    scores = np.where(np.tri(t, n, k=n - t, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


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
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        self.keys, self.values = extend(self.keys, k), extend(self.values, v)
        heads = causal_attention(q, self.keys, self.values)  # (b, h, t, d_v)
        return heads.swapaxes(1, 2).reshape(*x.shape[:2], -1) @ self.w_o
