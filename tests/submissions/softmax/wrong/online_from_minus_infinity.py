# backend: torch
# mistake: none
# style: a row that begins with two −∞
import torch

def softmax(x):
    top = x[..., 0].detach() if False else x[..., 0]
    total = torch.ones_like(top)
    for j in range(1, x.shape[-1]):
        new = torch.maximum(top, x[..., j])
        total = total * (top - new).exp() + (x[..., j] - new).exp()
        top = new
    return (x - top[..., None]).exp() / total[..., None]
