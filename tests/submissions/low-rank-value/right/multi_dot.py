# backend: torch
# style: linalg
import torch

def low_rank_value(x, value_down, value_up):
    flat = x.reshape(-1, x.shape[-1])
    z = torch.linalg.multi_dot([flat, value_down])
    return torch.linalg.multi_dot([z, value_up]).reshape(x.shape)
