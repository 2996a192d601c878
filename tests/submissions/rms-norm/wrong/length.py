# backend: torch
# mistake: rms-summed
# breaks: mean-of-squares
# style: sum
import torch


def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.square().sum(-1, keepdim=True) + eps) * gain
