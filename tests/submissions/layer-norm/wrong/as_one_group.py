# backend: torch
# mistake: forbidden-call
# breaks: library-norm
# style: group norm
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1])
    return torch.nn.functional.group_norm(rows, 1, gain, bias, eps).reshape(x.shape)
