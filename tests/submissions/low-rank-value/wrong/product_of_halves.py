# backend: torch
# mistake: low-rank-materialised
# style: product
import torch

def low_rank_value(x, value_down, value_up):
    # the large matrix, half of it at a time
    d = value_up.shape[1]
    parts = [x @ (value_down @ value_up[:, i:i + (d + 3) // 4]) for i in range(0, d, (d + 3) // 4)]
    return torch.cat(parts, -1)
