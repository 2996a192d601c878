# backend: torch
# mistake: none
# style: squeeze
import math
import torch

def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    s = q @ k.mT / math.sqrt(d)
    p = s.softmax(-1)
    dv = p.mT @ grad_output
    dp = grad_output @ v.mT
    row = (p * dp).sum(-1, keepdim=True)
    ds = p * (dp - row) / math.sqrt(d)
    dq = (ds @ k).squeeze(-1)
    dk = ds.mT @ q
    return dq, dk, dv
