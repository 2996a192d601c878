# backend: torch
# mistake: flash-maximum-not-updated
import torch


def flash_attention(q, k, v, block_size):
    peak = None
    total, out = 0, 0
    for start in range(0, k.shape[-2], block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = (q @ kb.transpose(-2, -1)) / (q.shape[-1] ** 0.5)
        if peak is None:
            peak = s.max(dim=-1, keepdim=True).values
        e = torch.exp(s - peak)
        total = total + e.sum(-1, keepdim=True)
        out = out + e @ vb
    return out / total
