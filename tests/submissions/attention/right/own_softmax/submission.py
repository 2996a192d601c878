# backend: torch
# style: two files
from softmax import softmax


def attention(q, k, v):
    return softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5) @ v
