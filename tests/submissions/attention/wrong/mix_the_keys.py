# backend: torch
# mistake: values-are-keys
# style: matmul
import torch

def attention(q, k, v):
    attn = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    context = attn @ k
    return context
