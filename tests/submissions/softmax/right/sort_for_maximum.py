# backend: torch
# style: sort
import torch

def softmax(x):
    top = x.sort(dim=-1, descending=True).values[..., :1]
    e = torch.exp(x - top)
    return e / e.sum(-1).unsqueeze(-1)
