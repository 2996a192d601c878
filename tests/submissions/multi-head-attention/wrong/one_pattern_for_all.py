# backend: torch
# mistake: scores-averaged-over-heads
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(t):
        return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)

    q, k, v = heads(x @ w_q), heads(x @ w_k), heads(x @ w_v)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, -1)
    if mask is not None:
        w = torch.where(mask, w, 0.0)
    w = w.mean(dim=-3, keepdim=True)
    return (w @ v).transpose(-3, -2).flatten(-2) @ w_o
