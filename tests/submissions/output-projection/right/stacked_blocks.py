# backend: torch
# style: any layout, any dtype
import torch


def head_updates(heads, w_o):
    blocks = w_o.split(heads.shape[-1], dim=0)
    return torch.stack([heads[..., i, :, :] @ block for i, block in enumerate(blocks)], dim=-3)
