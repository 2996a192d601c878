# backend: torch
# style: vmap
import torch

def head(q, k, v):
    return torch.softmax(q @ k.T * q.shape[-1] ** -0.5, dim=-1) @ v

def grouped_query_attention(q, k, v):
    g = q.shape[1] // k.shape[1]
    q = q.unflatten(1, (k.shape[1], g))
    members = torch.vmap(head, in_dims=(0, None, None))
    return torch.vmap(torch.vmap(members))(q, k, v).flatten(1, 2)
