# backend: torch
# mistake: softmax-underflow
# Subtracts the maximum of the whole tensor, so a row far below another row underflows to 0 / 0.
import torch

def softmax(x):
    shifted = x - x.detach().max()
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)
