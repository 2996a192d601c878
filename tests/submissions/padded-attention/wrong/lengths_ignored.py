# backend: torch
# mistake: mask-missing
# breaks: padding-unseen
# style: matmul
def padded_attention(q, k, v, lengths):
    return (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v
