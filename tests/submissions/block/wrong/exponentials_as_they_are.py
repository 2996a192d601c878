# backend: torch
# mistake: softmax-unstable
# style: exponentials as they are
import math

from torch.nn import functional


def attention(rows, w_q, w_k, w_v, w_o, num_heads, mask):
    *lead, n, d = rows.shape
    q, k, v = ((rows @ w).reshape(*lead, n, num_heads, -1).transpose(-3, -2) for w in (w_q, w_k, w_v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    shares = scores.exp()
    return (shares / shares.sum(-1, keepdim=True) @ v).transpose(-3, -2).reshape(*lead, n, d) @ w_o


def norm(x, gain, bias):
    return functional.layer_norm(x, x.shape[-1:], gain, bias)


def mlp(x, w_1, b_1, w_2, b_2):
    return functional.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


def block(x, gain_1, bias_1, w_q, w_k, w_v, w_o, gain_2, bias_2, w_1, b_1, w_2, b_2, num_heads, mask=None):
    x = x + attention(norm(x, gain_1, bias_1), w_q, w_k, w_v, w_o, num_heads, mask)
    return x + mlp(norm(x, gain_2, bias_2), w_1, b_1, w_2, b_2)
