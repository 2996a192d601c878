# backend: torch
# style: unusual
import torch

def padded_attention(q, k, v, lengths):
    order = lengths.argsort()
    out = [None] * len(q)
    for b in order.tolist():
        n = int(lengths[b])
        if n:
            out[b] = torch.softmax(q[b] @ k[b, :n].T / q.shape[-1] ** 0.5, -1) @ v[b, :n]
        else:
            out[b] = torch.zeros(q.shape[1], v.shape[2], dtype=v.dtype) + 0 * (q[b].sum() + k[b].sum() + v[b].sum())
    return torch.stack(out)
