# backend: torch
# mistake: weights-transposed
# style: matmul
def attention(q, k, v):
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(dim=-1)
    return w.transpose(-1, -2) @ v
