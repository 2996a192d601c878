# backend: torch
# style: float64-internally
import torch

def attention_backward(q, k, v, grad_output):
    dt = q.dtype
    q, k, v, g = (x.double() for x in (q, k, v, grad_output))
    p = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
    dp = g @ v.mT
    ds = (p * dp - p * (p * dp).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
    return tuple(x.to(dt) for x in (ds @ k, ds.mT @ q, p.mT @ g))
