# backend: torch
# mistake: residual-added
# style: extra
import torch

def split(y, h):
    return y.reshape(*y.shape[:2], h, y.shape[-1] // h).transpose(1, 2)

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q, k, v = split(x @ w_q, num_heads), split(context @ w_k, num_heads), split(context @ w_v, num_heads)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None:
        s = s.masked_fill(~context_mask[:, None, None, :], float("-inf"))
    w = s.softmax(-1).nan_to_num()
    return x + (w @ v).transpose(1, 2).flatten(2) @ w_o
