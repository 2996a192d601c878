# backend: torch
import torch


def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    groups = k.shape[1]
    q = q.reshape(b, groups, h // groups, m, d)  # neighbours share a key head
    s = torch.einsum("bgrid,bgjd->bgrij", q, k) * d**-0.5
    return torch.einsum("bgrij,bgjd->bgrid", s.softmax(-1), v).reshape(b, h, m, -1)
