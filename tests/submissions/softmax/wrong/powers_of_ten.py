# backend: torch
# mistake: softmax-other-base
import torch


def softmax(x):
    powers = torch.pow(10.0, x - x.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)
