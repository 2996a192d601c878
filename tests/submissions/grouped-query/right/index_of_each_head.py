# backend: torch
import torch

def grouped_query_attention(q, k, v):
    h, h_kv = q.shape[1], k.shape[1]
    heads = []
    for i in range(h):
        g = i * h_kv // h
        p = torch.softmax(q[:, i] @ k[:, g].mT / q.shape[-1] ** 0.5, dim=-1)
        heads.append(p @ v[:, g])
    return torch.stack(heads, dim=1)
