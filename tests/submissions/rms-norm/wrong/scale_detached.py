# backend: torch
# mistake: gradient-wrong
# style: no gradient through the root
import torch


def rms_norm(x, gain, eps=1e-5):
    scale = torch.rsqrt(x.detach().square().mean(-1, keepdim=True) + eps)
    return x * scale * gain
