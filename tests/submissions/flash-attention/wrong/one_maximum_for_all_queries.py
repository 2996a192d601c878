# backend: torch
# mistake: none
# Exact on paper; a query whose scores are all far lower gets 0/0.
import torch


def flash_attention(q, k, v, block_size):
    top = torch.tensor(float("-inf"), dtype=q.dtype)
    total, out = q.new_zeros(*q.shape[:-1], 1), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for ks, vs in zip(k.split(block_size, -2), v.split(block_size, -2)):
        s = q @ ks.mT / q.shape[-1] ** 0.5
        new = torch.maximum(top, s.max())
        p, factor = torch.exp(s - new), torch.exp(top - new)
        total, out, top = total * factor + p.sum(-1, keepdim=True), out * factor + p @ vs, new
    return out / total
