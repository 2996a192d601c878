# backend: torch
# mistake: mask-missing
# style: matmul
def causal_attention(q, k, v):
    return (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) @ v
