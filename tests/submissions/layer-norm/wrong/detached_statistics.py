# backend: torch
# mistake: gradient-wrong
# style: no gradient through mean and variance
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    var, mean = torch.var_mean(x.detach(), dim=-1, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gain + bias
