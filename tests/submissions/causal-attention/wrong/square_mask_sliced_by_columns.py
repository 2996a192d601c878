# backend: torch
# mistake: mask-top-left
# style: registered-buffer
import torch

MASK = torch.tril(torch.ones(1024, 1024)).bool()

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    # a buffer for the longest sequence; rows should have been n - m : n
    allowed = MASK[:m, :n].to(q.device)
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~allowed, float("-inf"))
    return s.softmax(-1) @ v
