# backend: torch
# style: logsumexp
import torch

def grouped_query_attention(q, k, v):
    hk = k.shape[1]
    q = torch.stack(q.split(q.shape[1] // hk, dim=1), dim=1)
    s = torch.einsum("bGXmz,bGnz->bGXmn", q, k) / q.shape[-1] ** 0.5
    w = (s - s.logsumexp(-1, keepdim=True)).exp()
    return torch.cat(torch.einsum("bGXmn,bGny->bGXmy", w, v).unbind(1), dim=1)
