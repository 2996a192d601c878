# backend: torch
# mistake: heads-ignored
# style: single-head
import torch

def split(y, h):
    return y.reshape(*y.shape[:2], h, y.shape[-1] // h).transpose(1, 2)

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q, k, v = x @ w_q, context @ w_k, context @ w_v
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None:
        s = s.masked_fill(~context_mask[:, None, :], float("-inf"))
    w = s.softmax(-1).nan_to_num()
    return w @ v @ w_o
