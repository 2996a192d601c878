# backend: torch
# mistake: variance-unbiased
# breaks: divided-by-d
# style: torch's default
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gain + bias
