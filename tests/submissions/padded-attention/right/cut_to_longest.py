# backend: torch
# style: unusual
import torch

def padded_attention(q, k, v, lengths):
    longest = int(lengths.max())
    if longest == 0:
        return 0 * (q.sum() + k.sum()) + v.new_zeros(*q.shape[:-1], v.shape[-1])
    k, v = k[:, :longest], v[:, :longest]
    real = torch.arange(longest).expand(len(q), 1, -1) < lengths.view(-1, 1, 1)
    w = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~real, torch.finfo(q.dtype).min).softmax(-1)
    return (w * real) @ v
