# backend: torch
# mistake: input-mutated
# style: in place
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    with torch.no_grad():
        x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * gain + bias
