# backend: torch
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    var = (d * d).mean(-1, keepdim=True)
    return d * torch.rsqrt(var + eps) * gain + bias
