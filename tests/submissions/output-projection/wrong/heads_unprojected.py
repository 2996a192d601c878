# backend: torch
# mistake: none
# style: pad
import torch

def head_updates(heads, w_o):
    out = heads.new_zeros(*heads.shape[:-1], w_o.shape[1])
    h, n, d = heads.shape[-3:]
    for i in range(h):
        stop = min((i + 1) * d, w_o.shape[1])
        if stop > i * d:
            out[..., i, :, i * d:stop] = heads[..., i, :, :stop - i * d]
    return out
