# backend: torch
# mistake: norm-over-everything
# style: no axis
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    centred = x - x.mean()
    return centred / torch.sqrt((centred * centred).mean() + eps) * gain + bias
