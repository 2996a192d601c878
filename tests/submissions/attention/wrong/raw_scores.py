# backend: torch
# mistake: softmax-missing
# style: matmul
def attention(q, k, v):
    scores = (q @ k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return scores @ v
