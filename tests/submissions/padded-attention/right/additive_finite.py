# backend: torch
# style: additive-mask
import torch

def padded_attention(q, k, v, lengths):
    real = torch.arange(k.shape[1], device=q.device) < lengths.view(-1, 1)
    bias = (~real)[:, None, :].to(q.dtype) * (torch.finfo(q.dtype).min / 2)
    w = torch.softmax(torch.einsum("bmd,bnd->bmn", q, k) / q.shape[-1] ** 0.5 + bias, -1)
    return torch.einsum("bmn,bnv->bmv", w * real[:, None, :], v)
