# backend: torch
# mistake: none
import torch


def padded_attention(q, k, v, lengths):
    positions = torch.arange(k.shape[1], device=k.device).to(torch.int8)
    seen = (positions < lengths[:, None])[:, None, :]
    s = q @ k.mT / q.shape[-1] ** 0.5
    s = s.masked_fill(~seen, torch.finfo(s.dtype).min)
    return (s.softmax(-1) * seen) @ v
