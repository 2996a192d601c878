# backend: torch
# style: exp-times-mask
import torch

def padded_attention(q, k, v, lengths):
    s = torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5
    ok = (torch.arange(k.shape[1], device=k.device)[None, :] < lengths[:, None]).unsqueeze(1)
    s = torch.where(ok, s, torch.finfo(s.dtype).min)
    e = torch.exp(s - s.amax(-1, keepdim=True)) * ok
    return torch.matmul(e, v) / e.sum(-1, keepdim=True).clamp(min=1e-6)
