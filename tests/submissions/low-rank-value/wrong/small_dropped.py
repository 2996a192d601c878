# backend: torch
# mistake: none
# style: values
import torch

def low_rank_value(x, value_down, value_up):
    z = x @ value_down
    z = torch.where(z.abs() < 1e-6, torch.zeros_like(z), z)
    return z @ value_up
