# backend: torch
import torch
from torch.nn.functional import elu


def causal_linear_attention(q, k, v, size=16):
    q, k = elu(q) + 1, elu(k) + 1
    v = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    state, out = 0, []
    for qs, ks, vs in zip(q.split(size, -2), k.split(size, -2), v.split(size, -2)):
        inside = (qs @ ks.mT).tril() @ vs
        out.append(inside + qs @ state if out else inside)
        state = state + ks.mT @ vs
    both = torch.cat(out, -2)
    return both[..., :-1] / both[..., -1:]
