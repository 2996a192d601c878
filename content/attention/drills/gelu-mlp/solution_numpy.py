# backend: numpy
import math

import numpy as np


def gelu_mlp(
    x: np.ndarray, w_1: np.ndarray, b_1: np.ndarray, w_2: np.ndarray, b_2: np.ndarray
) -> np.ndarray:
    """Widen each row, apply GELU in its tanh form, narrow it again."""
    return gelu(x @ w_1 + b_1) @ w_2 + b_2


def gelu(x: np.ndarray) -> np.ndarray:
    """Return x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))), entry by entry."""
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))
