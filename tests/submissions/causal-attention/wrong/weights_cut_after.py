# backend: torch
# mistake: mask-after-softmax
# style: tril
import torch

def causal_attention(q, k, v):
    n = k.shape[-2]
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    return w.tril(n - q.shape[-2]) @ v
