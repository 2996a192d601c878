# backend: torch
# mistake: none
# style: first-batch-repeated
import torch

def attention(q, k, v):
    q0 = q.reshape(-1, *q.shape[-2:])[0]
    k0 = k.reshape(-1, *k.shape[-2:])[0]
    v0 = v.reshape(-1, *v.shape[-2:])[0]
    out = torch.softmax(q0 @ k0.T / q.shape[-1] ** 0.5, -1) @ v0
    return out.expand(*q.shape[:-2], *out.shape)
