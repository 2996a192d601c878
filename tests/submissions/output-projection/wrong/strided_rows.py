# backend: torch
# mistake: output-rows-interleaved
# breaks: own-rows
# style: strided
import torch

def head_updates(heads, w_o):
    h = heads.shape[-3]
    return torch.stack([heads[..., i, :, :] @ w_o[i::h] for i in range(h)], -3)
