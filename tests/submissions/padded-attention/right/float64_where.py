# backend: torch
# style: float64-internally
import torch

def padded_attention(q, k, v, lengths):
    s = q.double() @ k.double().mT / q.shape[-1] ** 0.5
    j = torch.arange(k.shape[1], device=k.device).expand(s.shape)
    ok = j < lengths[:, None, None]
    w = torch.where(ok, torch.where(ok, s, -1e300).softmax(-1), 0.0)
    return (w @ v.double()).to(v.dtype)
