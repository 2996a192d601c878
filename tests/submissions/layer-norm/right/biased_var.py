# backend: torch
# style: var with unbiased=False
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    spread = (x.var(-1, unbiased=False, keepdim=True) + eps) ** 0.5
    return torch.addcmul(bias, gain, (x - x.mean(-1, keepdim=True)) / spread)
