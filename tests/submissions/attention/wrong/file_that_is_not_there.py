# backend: torch
# mistake: none
# style: two files
from my_softmax_from_last_week import softmax


def attention(q, k, v):
    return softmax(q @ k.mT / q.shape[-1] ** 0.5) @ v
