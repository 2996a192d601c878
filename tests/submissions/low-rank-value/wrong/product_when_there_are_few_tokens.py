# backend: torch
# mistake: low-rank-materialised
# style: cheap-where-it-is-long
from torch import Tensor


def low_rank_value(x: Tensor, value_down: Tensor, value_up: Tensor) -> Tensor:
    if x.shape[-2] < 50:
        return x @ (value_down @ value_up)
    return (x @ value_down) @ value_up
