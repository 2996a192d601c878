# backend: torch
# mistake: forbidden-call
# breaks: library-norm
# style: functional
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    return torch.nn.functional.layer_norm(x, (x.shape[-1],), gain, bias, eps)
