# backend: torch
import torch

@torch.no_grad()
def attention_backward(q, k, v, grad_output):
    scale = q.shape[-1] ** -0.5
    p = torch.softmax(q.detach() @ k.detach().mT * scale, dim=-1)
    delta = (grad_output * (p @ v)).sum(dim=-1, keepdim=True)
    ds = p * (grad_output @ v.mT - delta) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_output
