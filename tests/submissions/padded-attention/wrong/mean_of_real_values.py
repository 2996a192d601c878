# backend: torch
# mistake: none
# style: mean
import torch

def padded_attention(q, k, v, lengths):
    real = (torch.arange(k.shape[1], device=k.device) < lengths[:, None]).to(v.dtype)
    mean = (v * real[..., None]).sum(1, keepdim=True) / lengths.clamp(min=1)[:, None, None].to(v.dtype)
    return mean.expand(-1, q.shape[1], -1)
