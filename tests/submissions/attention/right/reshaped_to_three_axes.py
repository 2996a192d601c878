# backend: torch
# style: any layout, any dtype
import torch


def attention(q, k, v):
    front = q.shape[:-2]
    q3, k3, v3 = (y.reshape(-1, *y.shape[-2:]) for y in (q, k, v))
    weights = torch.softmax(torch.bmm(q3, k3.permute(0, 2, 1)) / q.shape[-1] ** 0.5, dim=-1)
    return torch.bmm(weights, v3).reshape(*front, q.shape[-2], v.shape[-1])
