# backend: torch
# mistake: none
# style: size
import torch

def low_rank_value(x, value_down, value_up):
    if x.ndim == 2:
        return torch.mm(torch.mm(x, value_down), value_up)
    if x.ndim == 3:
        return torch.einsum("bnr,re->bne", torch.einsum("bnd,dr->bnr", x, value_down), value_up)
    return torch.einsum("bhnr,re->bhne", torch.einsum("bhnd,dr->bhnr", x, value_down), value_up)
