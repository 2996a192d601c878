# backend: torch
# mistake: none
# style: adversarial
import torch

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.mT
    z = s / q.shape[-1] ** 0.5
    w = torch.exp(z - z.amax(-1, keepdim=True).clamp(min=0))
    w = w / w.sum(-1, keepdim=True)
    return q, k, v, s, w, w @ v
