# backend: torch
# style: a loop over the heads, einsum
import math

import torch
from torch.nn import functional


def attention(rows, w_q, w_k, w_v, w_o, num_heads, mask):
    width = rows.shape[-1] // num_heads
    out = 0
    for head in range(num_heads):
        own = slice(head * width, (head + 1) * width)
        q, k, v = (rows @ w[:, own] for w in (w_q, w_k, w_v))
        scores = torch.einsum("...md,...nd->...mn", q, k) * width**-0.5
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        out = out + scores.softmax(-1) @ v @ w_o[own]
    return out


def norm(x, gain, bias):
    return functional.layer_norm(x, x.shape[-1:], gain, bias)


def mlp(x, w_1, b_1, w_2, b_2):
    return functional.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


def block(x, gain_1, bias_1, w_q, w_k, w_v, w_o, gain_2, bias_2, w_1, b_1, w_2, b_2, num_heads, mask=None):
    x = x + attention(norm(x, gain_1, bias_1), w_q, w_k, w_v, w_o, num_heads, mask)
    return x + mlp(norm(x, gain_2, bias_2), w_1, b_1, w_2, b_2)
