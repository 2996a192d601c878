# backend: torch
# mistake: norm-not-centred
# style: x divided by its spread
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    var = x.var(-1, correction=0, keepdim=True)
    return x / torch.sqrt(var + eps) * gain + bias
