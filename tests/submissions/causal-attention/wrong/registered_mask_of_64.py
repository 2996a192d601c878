# backend: torch
# mistake: none
# Slices a ready-made 64 x 64 mask, so sequences of more than 64 tokens fail.
import math
import torch

BLOCK = 64
_TRIL = torch.tril(torch.ones(BLOCK, BLOCK)).bool()

def causal_attention(q, k, v):
    m, n = q.size(-2), k.size(-2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    att = att.masked_fill(~_TRIL[n - m : n, :n], float("-inf"))
    return att.softmax(dim=-1) @ v
