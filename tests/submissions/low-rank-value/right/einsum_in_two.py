# backend: torch
# style: einsum
import torch

def low_rank_value(x, value_down, value_up):
    z = torch.einsum("...nd,dr->...nr", x, value_down)
    return torch.einsum("...nr,re->...ne", z, value_up)
