# backend: torch
# mistake: none
# style: a factor
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - mean) / (2 * torch.sqrt(var + eps)) * gain + bias
