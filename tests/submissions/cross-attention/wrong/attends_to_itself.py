# backend: torch
# mistake: cross-attends-to-itself
# breaks: keys-and-values-of-context
# style: self
import torch

def split(y, h):
    return y.reshape(*y.shape[:2], h, y.shape[-1] // h).transpose(1, 2)

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q, k, v = (split(x @ w, num_heads) for w in (w_q, w_k, w_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None and context_mask.shape[-1] == s.shape[-1]:
        s = s.masked_fill(~context_mask[:, None, None, :], float("-inf"))
    w = s.softmax(-1).nan_to_num()
    return (w @ v).transpose(1, 2).flatten(2) @ w_o
