# backend: torch
# mistake: mask-missing
# style: forgotten-variable
import torch

def masked_attention(q, k, v, mask):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(scores.softmax(-1), v)
