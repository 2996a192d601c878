# backend: torch
# mistake: softmax-underflow
import torch


def softmax(x):
    peak = torch.clamp(x.amax(dim=-1, keepdim=True), min=0)
    e = torch.exp(x - peak)
    return e / e.sum(dim=-1, keepdim=True)
