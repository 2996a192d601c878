# backend: torch
# mistake: precision-lost
# style: in bfloat16
import torch


def rms_norm(x, gain, eps=1e-5):
    scale = torch.rsqrt(x.square().mean(-1, keepdim=True) + eps).bfloat16()
    return x * scale.to(x.dtype) * gain
