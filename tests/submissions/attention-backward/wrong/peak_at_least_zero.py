# backend: torch
# mistake: none
# style: matmul
import math
import torch

def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    s = q @ k.mT / math.sqrt(d)
    e = torch.exp(s - s.amax(-1, keepdim=True).clamp(min=0))
    p = e / e.sum(-1, keepdim=True)
    dv = p.mT @ grad_output
    dp = grad_output @ v.mT
    row = (p * dp).sum(-1, keepdim=True)
    ds = p * (dp - row) / math.sqrt(d)
    dq = ds @ k
    dk = ds.mT @ q
    return dq, dk, dv
