# backend: torch
# style: adversarial
import torch

def split_heads(x, num_heads):
    *b, n, w = x.shape
    d = w // num_heads
    *sb, sn, sw = x.stride()
    return x.as_strided((*b, num_heads, n, d), (*sb, d * sw, sn, sw))
def merge_heads(x):
    return torch.cat(x.unbind(-3), dim=-1)
