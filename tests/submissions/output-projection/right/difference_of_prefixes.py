# backend: torch
# style: adversarial
import torch

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    masks = torch.eye(h, dtype=heads.dtype).repeat_interleave(d, 1)
    merged = heads.transpose(-3, -2).flatten(-2)
    return (merged.unsqueeze(-3) * masks[:, None, :]) @ w_o
