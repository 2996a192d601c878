# backend: torch
# mistake: norm-over-positions
# breaks: each-row-alone
# style: axis -2
import torch


def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.square().mean(-2, keepdim=True) + eps) * gain
