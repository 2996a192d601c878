# backend: torch
# mistake: flash-materialises
# breaks: block-size-ignored
# style: own block size
import torch

BLOCK = 16  # fits the cache


def flash_attention(q, k, v, block_size):
    n, scale = k.shape[-2], q.shape[-1] ** -0.5
    top = q.new_full((*q.shape[:-1], 1), float("-inf"))
    total = torch.zeros_like(top)
    out = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    step = BLOCK
    for start in range(0, n, step):
        scores = q @ k[..., start : start + step, :].mT * scale
        higher = torch.maximum(top, scores.amax(-1, keepdim=True))
        powers, factor = torch.exp(scores - higher), torch.exp(top - higher)
        total = factor * total + powers.sum(-1, keepdim=True)
        out = factor * out + powers @ v[..., start : start + step, :]
        top = higher
    return out / total
