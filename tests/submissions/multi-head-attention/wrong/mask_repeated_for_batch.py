# backend: torch
# mistake: none
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(w):
        return (x @ w).unflatten(-1, (num_heads, w.shape[1] // num_heads)).transpose(-2, -3)

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        w = s.softmax(-1)
    else:
        if mask.ndim == 4 and mask.shape[0] == mask.shape[1] > 1:
            mask = mask.transpose(0, 1)
        w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1) * mask
    return (w @ v).transpose(-2, -3).flatten(-2) @ w_o
