# backend: torch
# style: logarithms
import torch

def linear_attention(q, k, v):
    # everything but the values in logarithms
    log = lambda x: torch.where(x > 0, torch.log1p(x.clamp(min=0)), x)
    lq, lk = log(q), log(k)
    lz = torch.logsumexp(lk, -2, keepdim=True)                      # (..., 1, d)
    share = (lk - lz).exp()
    lw = (lq + lz)
    lw = (lw - torch.logsumexp(lw, -1, keepdim=True)).exp()         # (..., m, d)
    return lw @ (share.mT @ v)
