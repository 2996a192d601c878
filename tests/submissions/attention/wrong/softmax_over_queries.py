# backend: torch
# mistake: softmax-wrong-axis
# breaks: softmax-over-keys
# style: matmul
def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return scores.softmax(dim=-2) @ v
