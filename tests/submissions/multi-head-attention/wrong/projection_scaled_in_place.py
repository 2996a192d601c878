# backend: torch
# mistake: none
# style: in place
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    with torch.no_grad():
        w_q.mul_((w_q.shape[-1] // num_heads) ** -0.5)

    def split(y):
        return y.unflatten(-1, (num_heads, -1)).transpose(-2, -3)

    scores = split(x @ w_q) @ split(x @ w_k).mT
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(x.dtype).min)
    weights = scores.softmax(-1) if mask is None else scores.softmax(-1) * mask
    return (weights @ split(x @ w_v)).transpose(-2, -3).flatten(-2) @ w_o
