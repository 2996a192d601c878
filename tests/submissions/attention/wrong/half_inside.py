# backend: torch
# mistake: precision-lost
# style: half-internally
import torch

def attention(q, k, v):
    qh, kh, vh = q.bfloat16(), k.bfloat16(), v.bfloat16()
    w = torch.softmax(qh @ kh.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
    return (w @ vh).to(q.dtype)
