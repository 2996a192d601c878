# backend: torch
# mistake: padding-never-empty
import torch


def padded_attention(q, k, v, lengths):
    lengths = lengths.clamp(min=1)
    keep = torch.arange(k.shape[1]) < lengths[:, None]
    s = q @ k.mT / q.shape[-1] ** 0.5
    s = s.masked_fill(~keep[:, None, :], float("-inf"))
    return torch.softmax(s, dim=-1) @ v
