# backend: torch
# mistake: none
# breaks: any-number-of-key-heads
# style: no-groups
def grouped_query_attention(q, k, v):
    return (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) @ v
