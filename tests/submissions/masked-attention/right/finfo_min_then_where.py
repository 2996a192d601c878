# backend: torch
# style: torch-where
import torch

def masked_attention(q, k, v, mask):
    s = torch.matmul(q, k.mT) / q.size(-1) ** 0.5
    w = torch.softmax(torch.where(mask, s, torch.finfo(s.dtype).min), dim=-1)
    w = torch.where(mask, w, torch.zeros_like(w))
    return torch.matmul(w, v)
