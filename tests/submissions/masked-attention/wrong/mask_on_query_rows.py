# backend: torch
# mistake: mask-on-queries
# style: rows
import torch

def masked_attention(q, k, v, mask):
    # a query that is not masked itself may look everywhere
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    return (w @ v) * mask.any(-1, keepdim=True)
