# backend: torch
from torch import Tensor


def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x @ w_q, x @ w_k, x @ w_v
