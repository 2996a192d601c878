# backend: numpy
import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(b, n, h * d_head) to (b, h, n, d_head)."""
    raise NotImplementedError("step 1")


def weigh(q: np.ndarray, k: np.ndarray, context_mask: np.ndarray | None) -> np.ndarray:
    """The weights of every head: (b, h, m, d_head) and (b, h, n, d_head) to (b, h, m, n)."""
    raise NotImplementedError("step 2")


def cross_attention(
    x: np.ndarray,
    context: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    num_heads: int,
    context_mask: np.ndarray | None = None,
) -> np.ndarray:
    """The tokens of x ask, the context answers.

    x: (b, m, d_model)    context: (b, n, d_context)    returns (b, m, d_model)
    w_q: (d_model, h * d_head)    w_k: (d_context, h * d_head)
    w_v: (d_context, h * d_v)    w_o: (h * d_v, d_model)
    context_mask: bool (b, n), True = a real position
    """
    raise NotImplementedError("which of the two asks, and which answers?")
