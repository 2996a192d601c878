# backend: torch
# mistake: mask-added-raw, scale-multiplied
# style: matmul
def masked_attention(q, k, v, mask):
    return (q @ k.transpose(-1, -2) * q.shape[-1] ** 0.5 + mask).softmax(-1) @ v
