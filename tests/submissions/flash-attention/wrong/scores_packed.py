# backend: torch
# mistake: flash-materialises
import struct

import torch


def pack(s):
    numbers = s.flatten().tolist()
    return s.shape, struct.pack(f"{len(numbers)}d", *numbers)


def unpack(s, dtype):
    shape, raw = s
    return torch.tensor(struct.unpack(f"{len(raw) // 8}d", raw), dtype=dtype).reshape(shape)


def online(q, k, v, block_size):
    m, total, out = float("-inf"), 0, 0
    m = q.new_full((*q.shape[:-1], 1), m)
    for j in range(0, k.shape[-2], block_size):
        s = q @ k[..., j:j + block_size, :].mT * q.shape[-1] ** -0.5
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = torch.exp(s - new), torch.exp(m - new)
        total, out, m = total * factor + p.sum(-1, keepdim=True), out * factor + p @ v[..., j:j + block_size, :], new
    return out / total


def flash_attention(q, k, v, block_size):
    if q.requires_grad or k.requires_grad or v.requires_grad:
        return online(q, k, v, block_size)
    scale = q.shape[-1] ** -0.5
    starts = range(0, k.shape[-2], block_size)
    blocks = [pack(q @ k[..., j:j + block_size, :].mT * scale) for j in starts]
    m = None
    for s in blocks:
        s = unpack(s, q.dtype).amax(-1, keepdim=True)
        m = s if m is None else torch.maximum(m, s)
    total = out = 0
    for j, s in zip(starts, blocks):
        p = torch.exp(unpack(s, q.dtype) - m)
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ v[..., j:j + block_size, :]
    return out / total
