# backend: torch
# style: loops
import torch

def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(q.shape[-2]):
        qi, gi = q[..., i, :], grad_output[..., i, :]
        p = ((k @ qi.unsqueeze(-1)).squeeze(-1) / d ** 0.5).softmax(-1)
        jac = torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
        dp = (v @ gi.unsqueeze(-1))
        ds = (jac @ dp).squeeze(-1) / d ** 0.5
        dq[..., i, :] = (ds.unsqueeze(-2) @ k).squeeze(-2)
        dk += ds.unsqueeze(-1) * qi.unsqueeze(-2)
        dv += p.unsqueeze(-1) * gi.unsqueeze(-2)
    return dq, dk, dv
