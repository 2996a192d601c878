# backend: torch
# mistake: precision-lost
import torch


def attend(q, k, v):
    dtype = q.dtype
    q, k, v = q.float(), k.float(), v.float()
    w = torch.softmax(k @ q / q.shape[0] ** 0.5, dim=0)
    return (w @ v).to(dtype)
