# backend: torch
# mistake: linear-state-excludes-self
import torch


def causal_linear_attention(q, k, v):
    q = torch.nn.functional.elu(q) + 1
    k = torch.nn.functional.elu(k) + 1
    kv = k.unsqueeze(-1) * v.unsqueeze(-2)
    state = kv.cumsum(-3) - kv
    z = k.cumsum(-2)
    return (q.unsqueeze(-2) @ state).squeeze(-2) / (q * z).sum(-1, keepdim=True)
