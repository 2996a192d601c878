# backend: torch
# mistake: padding-never-empty
# style: a length of 0 read as none given
import torch


def padded_attention(q, k, v, lengths):
    n = k.shape[-2]
    lengths = torch.where(lengths == 0, n, lengths)
    real = torch.arange(n, device=q.device) < lengths[:, None]
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    scores = scores.masked_fill(~real[:, None, :], float("-inf"))
    return scores.softmax(-1) @ v
