# backend: torch
# mistake: none
import torch


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if context_mask is not None:
        context = context * context_mask[..., None]

    def heads(t, w):
        return (t @ w).unflatten(-1, (num_heads, w.shape[1] // num_heads)).transpose(1, 2)

    q, k, v = heads(x, w_q), heads(context, w_k), heads(context, w_v)
    w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    return (w @ v).transpose(1, 2).flatten(2) @ w_o
