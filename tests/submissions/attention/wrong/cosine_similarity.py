# backend: torch
# mistake: none
# style: cosine
import torch.nn.functional as F

def attention(q, k, v):
    s = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-1, -2)
    return (s / q.shape[-1] ** 0.5).softmax(-1) @ v
