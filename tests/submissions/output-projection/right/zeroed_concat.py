# backend: torch
# style: masked-concat
import torch

def head_updates(heads, w_o):
    # put every other head to zero, concatenate, project: what is left is this head's part
    h = heads.shape[-3]
    out = []
    for i in range(h):
        only = [heads[..., j, :, :] if j == i else torch.zeros_like(heads[..., j, :, :]) for j in range(h)]
        out.append(torch.cat(only, -1) @ w_o)
    return torch.stack(out, -3)
