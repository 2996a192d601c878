# backend: torch
import torch


def flash_attention(q, k, v, block_size):
    scaled = q * q.shape[-1] ** -0.5
    log_z = out = None
    for start in range(0, k.shape[-2], block_size):
        kb = k[..., start : start + block_size, :]
        vb = v[..., start : start + block_size, :]
        s = scaled @ kb.transpose(-1, -2)
        lse = torch.logsumexp(s, dim=-1, keepdim=True)
        mixed = torch.exp(s - lse) @ vb
        if out is None:
            log_z, out = lse, mixed
        else:
            new = torch.logaddexp(log_z, lse)
            out = torch.exp(log_z - new) * out + torch.exp(lse - new) * mixed
            log_z = new
    return out
