# backend: torch
# mistake: norm-over-positions
# breaks: each-row-alone
# style: axis -2
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-2, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gain + bias
