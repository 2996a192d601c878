# backend: torch
# mistake: none
# style: one-head
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d, dv = w_q.shape[1] // num_heads, w_v.shape[1] // num_heads
    s = (x @ w_q[:, :d]) @ (x @ w_k[:, :d]).mT / d ** 0.5
    if mask is not None:
        m = mask[..., 0, :, :] if mask.dim() > 2 else mask
        s = s.masked_fill(~m, -torch.inf)
    return s.softmax(-1).nan_to_num() @ (x @ w_v[:, :dv]) @ w_o[:dv]
