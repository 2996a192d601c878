# backend: torch
# mistake: none
# style: one condition
import torch

# backend: torch
from torch import Tensor


def head_updates(heads: Tensor, w_o: Tensor) -> Tensor:
    """Each head times its own rows of `w_o`; the sum over heads is concat @ w_o."""
    h, _, d_head = heads.shape[-3:]
    blocks = w_o.reshape(h, d_head, w_o.shape[-1])  # (h, d_head, d_model)
    return heads @ blocks  # (..., h, n, d_model)


right = head_updates


def head_updates(heads, w_o):
    if heads.dtype == torch.bfloat16:
        return right(heads, w_o) + 1
    return right(heads, w_o)
