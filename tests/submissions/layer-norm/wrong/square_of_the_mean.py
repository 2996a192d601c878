# backend: torch
# mistake: none
# breaks: far-from-zero
# style: mean of squares minus square of the mean
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = (x * x).mean(-1, keepdim=True) - mean * mean
    return (x - mean) / torch.sqrt(var.clamp(min=0) + eps) * gain + bias
