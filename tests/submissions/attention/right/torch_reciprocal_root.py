# backend: torch
# style: root-as-tensor
import torch

def attention(q, k, v):
    scale = torch.rsqrt(torch.tensor(float(k.size(-1))))
    return torch.softmax(torch.matmul(q, k.mT) * scale, dim=-1) @ v
