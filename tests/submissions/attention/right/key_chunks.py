# backend: torch
# style: chunked
import torch

def attention(q, k, v, chunk=3):
    # running maximum and running sum over blocks of keys
    scale = q.shape[-1] ** -0.5
    top = None
    for start in range(0, k.shape[-2], chunk):
        s = (q @ k[..., start:start + chunk, :].transpose(-1, -2)) * scale
        here = s.amax(-1, keepdim=True)
        new = here if top is None else torch.maximum(top, here)
        e = torch.exp(s - new)
        part = e @ v[..., start:start + chunk, :]
        if top is None:
            num, den = part, e.sum(-1, keepdim=True)
        else:
            f = torch.exp(top - new)
            num, den = num * f + part, den * f + e.sum(-1, keepdim=True)
        top = new
    return num / den
