# backend: torch
# mistake: flash-materialises
# breaks: table-of-scores
# style: matmul
import torch

def flash_attention(q, k, v, block_size):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
