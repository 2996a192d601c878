# backend: torch
# style: float64-internally
import torch

def masked_attention(q, k, v, mask):
    s = q.double() @ k.double().transpose(-1, -2) / q.shape[-1] ** 0.5
    s = torch.where(mask, s, float("-inf"))
    w = torch.softmax(s, -1)
    w = torch.where(mask, w, 0.0)
    return (w @ v.double()).type_as(v)
