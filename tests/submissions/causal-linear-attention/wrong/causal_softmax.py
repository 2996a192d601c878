# backend: torch
# mistake: none
# style: softmax
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    s = (q @ k.mT / q.shape[-1] ** 0.5)
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), float("-inf"))
    return s.softmax(-1) @ v
