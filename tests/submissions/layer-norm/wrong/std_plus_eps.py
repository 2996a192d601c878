# backend: torch
# mistake: eps-outside-root
# breaks: eps-under-root
# style: std
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = (x - mean).square().mean(-1, keepdim=True)
    return (x - mean) / (torch.sqrt(var) + eps) * gain + bias
