# backend: torch
# mistake: query-key-swapped
# style: matmul
def attention(q, k, v):
    scores = k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5
    return scores.softmax(-1) @ v
