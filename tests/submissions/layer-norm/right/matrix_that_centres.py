# backend: torch
# style: a centring matrix
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    d = x.shape[-1]
    wide = x.double() if x.dtype in (torch.float16, torch.bfloat16, torch.float32) else x
    centring = torch.eye(d, dtype=wide.dtype, device=x.device) - 1 / d
    centred = wide @ centring
    scale = torch.sqrt((centred * centred).sum(-1, keepdim=True) / d + eps)
    return (centred / scale * gain + bias).to(x.dtype)
