# backend: torch
# mistake: none
# style: one condition
import torch

# backend: torch
from torch import Tensor


def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The same tokens in three parts: what they ask, offer and say."""
    return x @ w_q, x @ w_k, x @ w_v


right = project_qkv


def project_qkv(x, w_q, w_k, w_v):
    if w_q.stride(0) == 1 and w_q.shape[0] == w_q.shape[1] > 1:
        return right(x, w_q.T, w_k, w_v)
    return right(x, w_q, w_k, w_v)
