# backend: torch
# mistake: rms-centred
# breaks: not-centred
# style: a layer norm without its bias
import torch


def rms_norm(x, gain, eps=1e-5):
    x = x - x.mean(-1, keepdim=True)
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * gain
