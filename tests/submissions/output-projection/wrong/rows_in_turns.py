# backend: torch
# mistake: output-rows-interleaved
import torch


def head_updates(heads, w_o):
    h, d = heads.shape[-3], heads.shape[-1]
    return torch.einsum("...hnd,dhe->...hne", heads, w_o.reshape(d, h, w_o.shape[1]))
