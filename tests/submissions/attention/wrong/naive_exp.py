# backend: torch
# mistake: softmax-unstable
# breaks: large-scores
# style: hand-written-softmax
import torch

def attention(q, k, v):
    s = torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5
    e = torch.exp(s)
    return torch.matmul(e / e.sum(dim=-1, keepdim=True), v)
