# backend: torch
# mistake: none
# style: two files
from softmax import softmax


def masked_attention(q, k, v, mask):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return softmax(scores.masked_fill(~mask, -1e30)) * mask @ v
