# backend: torch
# mistake: mask-after-softmax, scale-missing
# style: tril
def causal_attention(q, k, v):
    return (q @ k.transpose(-1, -2)).softmax(-1).tril(k.shape[-2] - q.shape[-2]) @ v
