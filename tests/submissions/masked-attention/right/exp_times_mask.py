# backend: torch
# style: exp-times-mask
import torch

def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    # the maximum of the allowed keys only, so that nothing underflows
    top = s.masked_fill(~mask, torch.finfo(s.dtype).min).amax(-1, keepdim=True).detach()
    e = torch.exp(torch.where(mask, s - top, float("-inf")))
    z = e.sum(-1, keepdim=True)
    return (e @ v) / z.masked_fill(z == 0, 1)
