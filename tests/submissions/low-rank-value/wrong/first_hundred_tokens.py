# backend: torch
# mistake: none
# style: size
import torch

def low_rank_value(x, value_down, value_up):
    y = (x @ value_down) @ value_up
    y = torch.cat([y[..., :100, :], torch.zeros_like(y[..., 100:, :])], -2)
    return y
