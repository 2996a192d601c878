# backend: torch
# style: einsum
import torch

def head_updates(heads, w_o):
    h, d = heads.shape[-3], heads.shape[-1]
    return torch.einsum("...hnd,hdm->...hnm", heads, w_o.unflatten(0, (h, d)))
