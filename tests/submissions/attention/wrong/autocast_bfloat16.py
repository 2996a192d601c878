# backend: torch
# mistake: precision-lost
# Computes the products in bfloat16 under autocast and casts the result back.
import torch

def attention(q, k, v):
    with torch.autocast(device_type=q.device.type, dtype=torch.bfloat16):
        scores = torch.matmul(q.float(), k.float().transpose(-2, -1)) * q.shape[-1] ** -0.5
        out = torch.matmul(scores.softmax(-1), v.float())
    return out.to(v.dtype)
