# backend: torch
# mistake: eps-unused
# breaks: eps-as-given
# style: a constant
import torch


def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * gain
