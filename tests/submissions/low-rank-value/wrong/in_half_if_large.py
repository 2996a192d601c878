# backend: torch
# mistake: precision-lost
import torch


def low_rank_value(x, value_down, value_up):
    y = x @ value_down
    if x.dtype == torch.float32 and x.numel() > 64:
        y = y.bfloat16().float()
    return y @ value_up
