# backend: numpy
import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(b, t, h * d) to (b, h, t, d)."""
    raise NotImplementedError("step 1")


def extend(past: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    """What was cached, followed by what is new, along the tokens: (b, h, n, d); None is nothing."""
    raise NotImplementedError("step 2")


def causal_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Causal attention of the last t of n positions: (b, h, t, d_v).

    q: (b, h, t, d_head)    k: (b, h, n, d_head)    v: (b, h, n, d_v)
    """
    raise NotImplementedError("step 3")


class CachedAttention:
    """Causal multi-head attention over a sequence that arrives piece by piece."""

    def __init__(
        self, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray, w_o: np.ndarray, num_heads: int
    ) -> None:
        """w_q, w_k: (d_model, h * d_head)    w_v: (d_model, h * d_v)    w_o: (h * d_v, d_model)."""
        raise NotImplementedError("what has to be kept between calls?")

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The outputs of the new tokens: (b, t, d_model) -> (b, t, d_model)."""
        raise NotImplementedError("project only the new tokens, extend the cache, attend")

    def reset(self) -> None:
        """Forget everything seen so far."""
        raise NotImplementedError("begin anew")
