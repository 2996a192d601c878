# backend: torch
import torch

def head_updates(heads, w_o):
    h, d = heads.shape[-3], heads.shape[-1]
    out = heads.new_zeros((*heads.shape[:-1], w_o.shape[1]))
    for i in range(h):
        wide = heads.new_zeros((*heads.shape[:-3], heads.shape[-2], h * d))
        wide[..., i * d : (i + 1) * d] = heads[..., i, :, :]
        out[..., i, :, :] = wide @ w_o
    return out
