# backend: torch
from torch import Tensor


def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of every token.

    x: (..., n, d_model)    w_q, w_k: (d_model, d)    w_v: (d_model, d_v)
    returns (q, k, v): (..., n, d), (..., n, d), (..., n, d_v)
    """
    raise NotImplementedError("the same tokens, three matrices")
