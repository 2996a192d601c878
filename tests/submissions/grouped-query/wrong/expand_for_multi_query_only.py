# backend: torch
# mistake: none
# Expands one key head to all query heads: any other number of key heads but h raises.
import torch

def grouped_query_attention(q, k, v):
    h = q.shape[1]
    k, v = k.expand(-1, h, -1, -1), v.expand(-1, h, -1, -1)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v
