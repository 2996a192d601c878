# backend: torch
# mistake: none
# Padding gets a score of 0 instead of none, and with it some weight.
import torch


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if context_mask is not None:
        context = torch.where(context_mask[..., None], context, 0)
    split = lambda t: t.unflatten(-1, (num_heads, t.shape[-1] // num_heads)).transpose(1, 2)
    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ v).transpose(1, 2).flatten(-2) @ w_o
