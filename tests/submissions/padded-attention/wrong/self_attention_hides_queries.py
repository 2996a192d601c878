# backend: torch
# mistake: none
import torch


def padded_attention(q, k, v, lengths):
    n = k.shape[1]
    real = torch.arange(n, device=k.device) < lengths[:, None]
    seen = real[:, None, :].expand(-1, q.shape[1], -1)
    if q.shape[1] == n:
        seen = seen & real[:, :, None]
    s = q @ k.mT / q.shape[-1] ** 0.5
    s = s.masked_fill(~seen, torch.finfo(s.dtype).min)
    return (s.softmax(-1) * seen) @ v
