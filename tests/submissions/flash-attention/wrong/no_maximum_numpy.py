# backend: numpy
# mistake: softmax-unstable
# style: online
import numpy as np

def flash_attention(q, k, v, block_size):
    num, den = 0, 0
    for i in range(0, k.shape[-2], block_size):
        e = np.exp(q @ k[..., i:i + block_size, :].swapaxes(-1, -2) / q.shape[-1] ** 0.5)
        num, den = num + e @ v[..., i:i + block_size, :], den + e.sum(-1, keepdims=True)
    return num / den
