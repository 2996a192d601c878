# backend: torch
# mistake: softmax-epsilon
# style: adversarial
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q = (x @ w_q).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    k = (context @ w_k).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    v = (context @ w_v).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None:
        s = s.masked_fill(~context_mask[:, None, None, :], float("-inf"))
    w = (s - s.amax(-1, keepdim=True).clamp(min=-1e30)).exp()
    w = w / (w.sum(-1, keepdim=True) + 1e-9)
    return (w @ v).transpose(1, 2).flatten(2) @ w_o
