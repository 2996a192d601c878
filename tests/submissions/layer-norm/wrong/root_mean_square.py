# backend: torch
# mistake: norm-not-centred
# style: RMSNorm with a bias
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * gain + bias
