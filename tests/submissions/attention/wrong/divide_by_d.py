# backend: torch
# mistake: scale-by-d
# style: matmul
import torch

def attention(q, k, v):
    d_k = q.shape[-1]
    scores = torch.matmul(q, k.transpose(-2, -1)) / d_k
    return torch.matmul(scores.softmax(dim=-1), v)
