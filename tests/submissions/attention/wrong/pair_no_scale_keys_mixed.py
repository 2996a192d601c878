# backend: torch
# mistake: scale-missing, values-are-keys
# style: matmul
def attention(q, k, v):
    w = (q @ k.transpose(-1, -2)).softmax(dim=-1)
    return w @ k
