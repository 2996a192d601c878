# backend: torch
# style: fused-projection
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    sizes = [w_q.shape[1], w_k.shape[1], w_v.shape[1]]
    q, k, v = (x @ torch.cat([w_q, w_k, w_v], dim=1)).split(sizes, dim=-1)
    q, k, v = (t.unflatten(-1, (num_heads, t.shape[-1] // num_heads)).transpose(-3, -2) for t in (q, k, v))
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = s.softmax(-1)
    if mask is not None:
        w = w.masked_fill(~mask, 0)
    return (w @ v).transpose(-3, -2).flatten(-2) @ w_o
