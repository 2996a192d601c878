# backend: torch
# mistake: flash-output-not-rescaled
# Rescales the running sum but not the running mix of values.
import torch

def flash_attention(q, k, v, block_size):
    top = q.new_full(q.shape[:-1], -torch.inf)
    total = q.new_zeros(q.shape[:-1])
    out = 0
    for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2)):
        s = q @ kb.mT / q.shape[-1] ** 0.5
        new = torch.maximum(top, s.amax(-1))
        p = torch.exp(s - new[..., None])
        total = total * torch.exp(top - new) + p.sum(-1)
        out = out + p @ vb
        top = new
    return out / total[..., None]
