# backend: torch
# mistake: updates-summed
# breaks: one-update-a-head
# style: einsum
import torch

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return torch.einsum("...hnd,hdm->...nm", heads, w_o.reshape(h, d, -1))
