# backend: torch
# style: masked_fill
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def split(y):
        return y.unflatten(-1, (num_heads, -1)).transpose(-2, -3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    weights = torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)
    return (weights @ v).transpose(-2, -3).flatten(-2) @ w_o
