# backend: torch
# mistake: mask-sees-next
# breaks: not-ahead
# style: two files
from masks import causal


def causal_attention(q, k, v):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    mask = causal(q.shape[-2], k.shape[-2])
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ v
