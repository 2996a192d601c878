# backend: torch
# style: vmap
import torch

def one(q, k, v, do):
    c = q.shape[-1] ** -0.5
    p = torch.softmax(c * (q @ k.T), 1)
    dp = do @ v.T
    ds = c * p * (dp - torch.sum(p * dp, 1, keepdim=True))
    return ds @ k, ds.T @ q, p.T @ do

def attention_backward(q, k, v, grad_output):
    f = one
    for _ in range(q.ndim - 2):
        f = torch.vmap(f)
    return f(q, k, v, grad_output)
