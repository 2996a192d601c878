# backend: torch
# mistake: padding-queries-zeroed
# Also sets the results of queries at or past the length to zero; the brief leaves queries alone.
import torch

def padded_attention(q, k, v, lengths):
    m, n = q.shape[1], k.shape[1]
    valid = torch.arange(n)[None, :] < lengths[:, None]
    s = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    s = s.masked_fill(~valid[:, None, :], float("-inf"))
    w = torch.softmax(s, -1).masked_fill(~valid[:, None, :], 0.0)
    asked = torch.arange(m)[None, :] < lengths[:, None]
    return (w @ v).masked_fill(~asked[:, :, None], 0.0)
