# backend: torch
# style: masked-fill
import torch

def masked_attention(q, k, v, mask):
    s = torch.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    s = s.masked_fill(mask.logical_not(), -torch.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
