# backend: numpy
import numpy as np


def project_qkv(
    x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values of every token.

    x: (..., n, d_model)    w_q, w_k: (d_model, d)    w_v: (d_model, d_v)
    returns (q, k, v): (..., n, d), (..., n, d), (..., n, d_v)
    """
    raise NotImplementedError("the same tokens, three matrices")
