# backend: torch
# mistake: rms-summed, norm-gain-missing
# style: two mistakes
import torch


def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.square().sum(-1, keepdim=True) + eps) + 0 * gain
