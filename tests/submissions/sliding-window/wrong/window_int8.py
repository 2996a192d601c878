# backend: torch
# mistake: none
# No window is longer than 127.
import math
import torch


def run(q, k, v, seen):
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~seen, -torch.inf)
    return s.softmax(-1) @ v

def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    d = torch.arange(m)[:, None] + n - m - torch.arange(n)
    return run(q, k, v, (d >= 0) & (d < min(window, 127)))
