# backend: torch
# style: adversarial
import torch

def head_updates(heads, w_o):
    *b, h, n, d = heads.shape
    flat = heads.reshape(-1, h, n, d).transpose(0, 1).reshape(h, -1, d)
    out = torch.bmm(flat, w_o.reshape(h, d, -1))
    return out.reshape(h, -1, n, w_o.shape[1]).transpose(0, 1).reshape(*b, h, n, w_o.shape[1])
