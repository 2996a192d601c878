# backend: torch
# style: a-column-block-at-a-time
import torch
from torch import Tensor


def low_rank_value(x: Tensor, value_down: Tensor, value_up: Tensor) -> Tensor:
    small = x @ value_down
    return torch.cat([small @ columns for columns in value_up.split(16, dim=-1)], dim=-1)
