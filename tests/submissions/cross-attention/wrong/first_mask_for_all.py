# backend: torch
# mistake: mask-first-batch
# style: adversarial
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q = (x @ w_q).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    k = (context @ w_k).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    v = (context @ w_v).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None:
        s = s.masked_fill(~context_mask[:1, None, None, :], float("-inf"))
    w = s.softmax(-1).nan_to_num(0.0)
    return (w @ v).transpose(1, 2).flatten(2) @ w_o
