# backend: torch
# mistake: low-rank-materialised
# style: loops
import torch

def low_rank_value(x, value_down, value_up):
    full = sum(torch.outer(value_down[:, i], value_up[i]) for i in range(value_down.shape[1]))
    return x @ full
