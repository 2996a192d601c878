# backend: torch
# mistake: none
# breaks: mask-of-heads
import torch

def heads(x, h):
    return x.unflatten(-1, (h, -1)).transpose(-3, -2)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = torch.where((mask if mask.ndim != 3 else mask.unsqueeze(-3)), s, float("-inf"))
    w = s.softmax(-1).nan_to_num(0.0)
    return (w @ v).transpose(-3, -2).flatten(-2) @ w_o
