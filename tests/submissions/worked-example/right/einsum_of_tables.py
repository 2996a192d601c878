# backend: torch
# style: any layout, any dtype
import torch


def trace_head(x, w_q, w_k, w_v):
    q, k, v = (torch.einsum("ni,id->nd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("md,nd->mn", q, k)
    weights = torch.softmax(scores / k.size(1) ** 0.5, dim=1)
    return q, k, v, scores, weights, torch.einsum("mn,nv->mv", weights, v)
