# backend: numpy
import numpy as np


def scores_of(q: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The scaled scores of one block: (..., m, d) and (..., block, d) to (..., m, block)."""
    raise NotImplementedError("step 1")


def take_in(
    top: np.ndarray, total: np.ndarray, mixed: np.ndarray, scores: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The largest score, the sum and the weighted sum of values with one block more.

    top, total: (..., m, 1)    mixed: (..., m, d_v)    scores: (..., m, block)
    values: (..., block, d_v)    returns top, total and mixed as they are then
    """
    raise NotImplementedError("step 2")


def flash_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, block_size: int) -> np.ndarray:
    """Exact attention that sees `block_size` keys at a time.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)

    Nothing of shape (..., m, n) is to be made.
    """
    raise NotImplementedError("carry a maximum, a sum and an output from block to block")
