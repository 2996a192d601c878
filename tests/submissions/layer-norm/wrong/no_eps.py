# backend: torch
# mistake: eps-unused
# breaks: eps-as-given
# style: left out
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(var) * gain + bias
