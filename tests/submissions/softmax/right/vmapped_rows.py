# backend: torch
# style: adversarial
import torch

def softmax(x):
    def row(r):
        e = torch.exp(r - r.max())
        return e / e.sum()
    return torch.vmap(row)(x.reshape(-1, x.shape[-1])).reshape(x.shape)
