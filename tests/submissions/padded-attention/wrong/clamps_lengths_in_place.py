# backend: torch
# mistake: input-mutated
# Raises lengths of 0 to 1 in the caller's tensor before it zeroes those results: the input is changed, only when a length is 0.
import torch

def padded_attention(q, k, v, lengths):
    empty = lengths == 0
    lengths.clamp_(min=1)
    real = torch.arange(k.shape[1]) < lengths[:, None]
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~real[:, None], -torch.inf)
    return (s.softmax(-1) @ v).masked_fill(empty[:, None, None], 0)
