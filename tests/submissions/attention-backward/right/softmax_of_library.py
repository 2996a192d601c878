# backend: torch
# style: functional
import torch
import torch.nn.functional as F

def attention_backward(q, k, v, grad_output):
    print(q, q.requires_grad)
    with torch.no_grad():
        p = F.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        dv = p.mT @ grad_output
        dp = grad_output @ v.mT
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
    return ds @ k, ds.mT @ q, dv
