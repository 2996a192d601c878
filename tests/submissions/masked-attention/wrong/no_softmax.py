# backend: torch
# mistake: softmax-missing
# style: matmul
def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return s.masked_fill(~mask, 0.0) @ v
