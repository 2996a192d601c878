# backend: numpy
# style: a loop over the parts
import math

import numpy as np


def attention(rows, w_q, w_k, w_v, w_o, num_heads, mask):
    *lead, n, d = rows.shape
    q, k, v = (np.swapaxes((rows @ w).reshape(*lead, n, num_heads, -1), -3, -2) for w in (w_q, w_k, w_v))
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    heads = e / e.sum(-1, keepdims=True) @ v
    return heads.swapaxes(-3, -2).reshape(*lead, n, d) @ w_o


def norm(x, gain, bias):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gain + bias


def mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return z * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))) / 2 @ w_2 + b_2


def block(x, gain_1, bias_1, w_q, w_k, w_v, w_o, gain_2, bias_2, w_1, b_1, w_2, b_2, num_heads, mask=None):
    parts = (
        (gain_1, bias_1, lambda rows: attention(rows, w_q, w_k, w_v, w_o, num_heads, mask)),
        (gain_2, bias_2, lambda rows: mlp(rows, w_1, b_1, w_2, b_2)),
    )
    for gain, bias, part in parts:
        x = x + part(norm(x, gain, bias))
    return x
