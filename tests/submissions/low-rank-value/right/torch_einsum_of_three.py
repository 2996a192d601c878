# backend: torch
import torch

def low_rank_value(x, value_down, value_up):
    return torch.einsum("...d,dr,re->...e", x, value_down, value_up)
