# backend: torch
# mistake: backward-sign-flipped
import torch


def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    p = torch.softmax(q @ k.transpose(-1, -2) / root, -1)
    g = grad_output @ v.transpose(-1, -2)
    coupling = (p * g).sum(-1, keepdim=True)
    ds = p * (coupling - g) / root
    return ds @ k, ds.transpose(-1, -2) @ q, p.transpose(-1, -2) @ grad_output
