# backend: torch
# mistake: softmax-missing
# style: tril
def causal_attention(q, k, v):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return s.tril(k.shape[-2] - q.shape[-2]) @ v
