# backend: numpy
import numpy as np


def project_qkv(
    x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same tokens in three parts: what they ask, offer and say."""
    return x @ w_q, x @ w_k, x @ w_v
