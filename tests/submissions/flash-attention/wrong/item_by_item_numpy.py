# backend: numpy
# mistake: flash-materialises
import numpy as np


def flash_attention(q, k, v, block_size):
    starts = range(0, k.shape[-2], block_size)
    blocks = [(each.shape, [each.item(i) for i in range(each.size)]) for each in map(lambda j: q @ k[..., j:j + block_size, :].swapaxes(-1, -2) / q.shape[-1] ** 0.5, starts)]
    m = None
    for s in blocks:
        s = np.array(s[1], q.dtype).reshape(s[0]).max(-1, keepdims=True)
        m = s if m is None else np.maximum(m, s)
    total = out = 0
    for j, s in zip(starts, blocks):
        p = np.exp(np.array(s[1], q.dtype).reshape(s[0]) - m)
        total = total + p.sum(-1, keepdims=True)
        out = out + p @ v[..., j:j + block_size, :]
    return out / total
