# backend: numpy
import numpy as np


def grouped_query_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Attention in which neighbouring query heads share a key head.

    q: (b, h, m, d)    k: (b, h_kv, n, d)    v: (b, h_kv, n, d_v)    returns (b, h, m, d_v)

    Query head i uses key head i // (h / h_kv).
    """
    raise NotImplementedError("which key head does query head 5 of 8 use, if there are 2?")
