# backend: torch
# mistake: mask-on-queries
# style: rows
import torch

def split(y, h):
    return y.reshape(*y.shape[:2], h, y.shape[-1] // h).transpose(1, 2)

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q, k, v = split(x @ w_q, num_heads), split(context @ w_k, num_heads), split(context @ w_v, num_heads)
    s = q @ k.mT / q.shape[-1] ** 0.5
    w = s.softmax(-1)
    if context_mask is not None:
        m = min(context_mask.shape[1], w.shape[2])
        rows = torch.ones(w.shape[0], w.shape[2], dtype=torch.bool, device=x.device)
        rows[:, :m] = context_mask[:, :m]
        w = w * rows[:, None, :, None]
    return (w @ v).transpose(1, 2).flatten(2) @ w_o
