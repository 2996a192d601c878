# backend: torch
# mistake: none
# style: axis-order
import torch

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return torch.einsum("...hnd,hdm->...nhm", heads, w_o.reshape(h, d, w_o.shape[-1]))
