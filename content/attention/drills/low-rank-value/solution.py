# backend: torch
from torch import Tensor


def low_rank_value(x: Tensor, value_down: Tensor, value_up: Tensor) -> Tensor:
    """Two thin products in place of one large one."""
    small = x @ value_down  # (..., n, r)
    return small @ value_up  # (..., n, d_model)
