# backend: torch
import torch

def flash_attention(q, k, v, block_size):
    mu = l = o = None
    for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2)):
        s = q @ kb.mT / q.shape[-1] ** 0.5
        top = s.amax(-1, keepdim=True) if mu is None else torch.maximum(mu, s.amax(-1, keepdim=True))
        top = top.detach()
        e = (s - top).exp()
        f = 0 if mu is None else (mu - top).exp()
        l = e.sum(-1, keepdim=True) + (0 if mu is None else f * l)
        o = e @ vb + (0 if mu is None else f * o)
        mu = top
    return o / l
