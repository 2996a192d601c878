# backend: torch
# mistake: backward-scale-missing-once
import math
import torch


def attention_backward(q, k, v, grad_output):
    c = 1 / math.sqrt(q.shape[-1])
    p = torch.softmax(q @ k.mT * c, dim=-1)
    dv = p.mT @ grad_output
    dp = grad_output @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True))
    return ds @ k * c, ds.mT @ q, dv
