# backend: torch
# mistake: softmax-over-batch
# style: matmul
def attention(q, k, v):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return s.softmax(dim=0) @ v
