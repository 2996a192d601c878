# backend: torch
# mistake: softmax-epsilon
# style: adversarial
import torch

def heads(x, h):
    return x.unflatten(-1, (h, -1)).transpose(-3, -2)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = torch.where(mask, s, float("-inf"))
    w = (s - s.amax(-1, keepdim=True).clamp(min=-1e30)).exp()
    w = w / (w.sum(-1, keepdim=True) + 1e-9)
    return (w @ v).transpose(-3, -2).flatten(-2) @ w_o
