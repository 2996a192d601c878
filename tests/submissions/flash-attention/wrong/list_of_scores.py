# backend: torch
# mistake: flash-materialises
import torch


def flash_attention(q, k, v, block_size):
    scale = q.shape[-1] ** -0.5
    blocks = [q @ k[..., j:j + block_size, :].mT * scale for j in range(0, k.shape[-2], block_size)]
    m = blocks[0].amax(-1, keepdim=True)
    for s in blocks[1:]:
        m = torch.maximum(m, s.amax(-1, keepdim=True))
    total = out = 0
    for j, s in zip(range(0, k.shape[-2], block_size), blocks):
        p = torch.exp(s - m)
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ v[..., j:j + block_size, :]
    return out / total
