# backend: torch
# mistake: not-differentiable
# style: no_grad
import torch


@torch.no_grad()
def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    q = q.view(b, k.shape[1], -1, m, d) if q.is_contiguous() else q.reshape(b, k.shape[1], -1, m, d)
    s = torch.einsum("bgrid,bgjd->bgrij", q, k) / d**0.5
    return torch.einsum("bgrij,bgjd->bgrid", s.softmax(-1), v).reshape(b, h, m, -1)
