# backend: torch
# mistake: gradient-not-finite
# breaks: no-nan-in-gradients
# style: additive-mask
import torch


def padded_attention(q, k, v, lengths):
    real = torch.arange(k.shape[1]) < lengths[:, None, None]
    bias = torch.zeros(real.shape, dtype=q.dtype).masked_fill(~real, float("-inf"))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5 + bias, -1)
    return torch.where(real.any(-1, keepdim=True), weights, torch.zeros((), dtype=q.dtype)) @ v
