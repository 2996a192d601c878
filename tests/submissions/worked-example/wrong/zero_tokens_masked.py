# backend: torch
# mistake: none
# style: adversarial
import torch

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.mT
    z = s / q.shape[-1] ** 0.5
    z = z.masked_fill((x == 0).all(-1), -torch.inf)
    w = torch.softmax(z, -1)
    return q, k, v, s, w, w @ v
