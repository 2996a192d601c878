# backend: torch
# style: adversarial
import torch

def attention(q, k, v):
    lead = q.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
    parts = []
    for piece in q.split(2, dim=1):
        s = torch.baddbmm(torch.zeros((), dtype=q.dtype), piece, k.mT, beta=0, alpha=q.shape[-1] ** -0.5)
        parts.append(torch.bmm(s.softmax(-1), v))
    return torch.cat(parts, 1).reshape(*lead, q.shape[-2], v.shape[-1])
