# backend: torch
# mistake: variance-unbiased, norm-gain-missing
# style: two mistakes
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) + bias
