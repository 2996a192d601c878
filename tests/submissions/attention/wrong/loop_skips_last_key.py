# backend: torch
# mistake: last-key-skipped
# style: off-by-one
import torch

def attention(q, k, v):
    n = k.shape[-2]
    s = torch.stack([(q * k[..., j:j + 1, :]).sum(-1) for j in range(max(n - 1, 1))], -1)
    w = (s / q.shape[-1] ** 0.5).softmax(-1)
    return w @ v[..., :max(n - 1, 1), :]
