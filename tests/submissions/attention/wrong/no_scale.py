# backend: torch
# mistake: scale-missing
# style: matmul
import torch

def attention(q, k, v):
    scores = q @ k.transpose(-2, -1)
    return torch.softmax(scores, dim=-1) @ v
