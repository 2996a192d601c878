# backend: torch
# mistake: scale-missing, softmax-missing
# style: matmul
def attention(q, k, v):
    return (q @ k.transpose(-2, -1)) @ v
