# backend: numpy
# mistake: flash-materialises
# style: blocks
import numpy as np

def flash_attention(q, k, v, block_size):
    blocks = [q @ k[..., i:i + block_size, :].swapaxes(-1, -2) for i in range(0, k.shape[-2], block_size)]
    s = np.concatenate(blocks, axis=-1) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
