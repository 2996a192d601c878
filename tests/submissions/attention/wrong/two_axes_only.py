# backend: torch
# mistake: none
# breaks: any-leading-axes
# style: no-batch
import torch

def attention(q, k, v):
    # .T flips every axis, right for matrices only
    return torch.softmax(q @ k.permute(*reversed(range(k.ndim))) / q.shape[-1] ** 0.5, -1) @ v
