# backend: torch
# style: einsum
import torch

def trace_head(x, w_q, w_k, w_v):
    q, k, v = (torch.einsum("nm,md->nd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("id,jd->ij", q, k)
    scaled = scores * w_q.shape[1] ** -0.5
    weights = torch.exp(scaled - scaled.logsumexp(1, keepdim=True))
    return q, k, v, scores, weights, torch.einsum("ij,jv->iv", weights, v)
