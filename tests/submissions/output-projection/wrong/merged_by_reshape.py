# backend: torch
# mistake: none
# style: reshape
import torch

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    flat = heads.reshape(*heads.shape[:-3], n, h * d)
    blocks = []
    for i in range(h):
        blocks.append(flat[..., i * d:(i + 1) * d] @ w_o[i * d:(i + 1) * d])
    return torch.stack(blocks, -3)
