# backend: torch
import torch


def flash_attention(q, k, v, block_size):
    out = lse = None
    for start in range(0, k.shape[-2], block_size):
        ks, vs = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ ks.mT / q.shape[-1] ** 0.5
        here = s.logsumexp(-1, keepdim=True)
        part = torch.exp(s - here) @ vs
        if out is None:
            out, lse = part, here
        else:
            both = torch.logaddexp(lse, here)
            out, lse = out * torch.exp(lse - both) + part * torch.exp(here - both), both
    return out
