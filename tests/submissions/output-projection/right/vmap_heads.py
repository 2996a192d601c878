# backend: torch
# style: adversarial
import torch

def head_updates(heads, w_o):
    blocks = w_o.reshape(heads.shape[-3], heads.shape[-1], -1)
    return torch.vmap(torch.matmul, in_dims=(-3, 0), out_dims=-3)(heads, blocks)
