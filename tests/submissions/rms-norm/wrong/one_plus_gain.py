# backend: torch
# mistake: rms-one-plus-gain
# breaks: gain-as-given
# style: as in Gemma
import torch


def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * (1 + gain)
