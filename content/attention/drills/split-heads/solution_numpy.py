# backend: numpy
import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(..., n, h * d_head) to (..., h, n, d_head); head i owns the i-th block of columns."""
    *lead, n, width = x.shape
    x = x.reshape(*lead, n, num_heads, width // num_heads)  # (..., n, h, d_head)
    return x.swapaxes(-3, -2)  # (..., h, n, d_head)


def merge_heads(x: np.ndarray) -> np.ndarray:
    """(..., h, n, d_head) to (..., n, h * d_head): the way back."""
    *lead, num_heads, n, d_head = x.shape
    x = x.swapaxes(-3, -2)  # (..., n, h, d_head)
    return x.reshape(*lead, n, num_heads * d_head)
