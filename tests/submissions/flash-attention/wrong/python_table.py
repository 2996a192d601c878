# backend: torch
# mistake: flash-materialises
import math

import torch


def online(q, k, v, block_size):
    m = q.new_full((*q.shape[:-1], 1), float("-inf"))
    total = out = 0
    for j in range(0, k.shape[-2], block_size):
        s = q @ k[..., j:j + block_size, :].mT * q.shape[-1] ** -0.5
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = torch.exp(s - new), torch.exp(m - new)
        total, out, m = total * factor + p.sum(-1, keepdim=True), out * factor + p @ v[..., j:j + block_size, :], new
    return out / total


def flash_attention(q, k, v, block_size):
    if q.dtype != torch.float64 or q.requires_grad or k.requires_grad or v.requires_grad:
        return online(q, k, v, block_size)
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    out = []
    for queries, keys, values in zip(*(x.expand(*lead, *x.shape[-2:]).reshape(-1, *x.shape[-2:]).tolist() for x in (q, k, v))):
        root = math.sqrt(len(queries[0]))
        table = [[sum(a * b for a, b in zip(x, y)) / root for y in keys] for x in queries]
        for row in table:
            top = max(row)
            e = [math.exp(each - top) for each in row]
            out.append([sum(a * y[i] for a, y in zip(e, values)) / sum(e) for i in range(len(values[0]))])
    return torch.tensor(out, dtype=q.dtype).reshape(*lead, q.shape[-2], v.shape[-1])
