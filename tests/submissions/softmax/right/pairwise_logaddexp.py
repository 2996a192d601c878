# backend: torch
import functools
import torch

def softmax(x):
    norm = functools.reduce(torch.logaddexp, x.unbind(-1))
    return (x - norm.unsqueeze(-1)).exp()
