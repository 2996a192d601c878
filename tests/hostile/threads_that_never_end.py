# verdict: passed
"""Is right, and leaves threads running."""

import threading
import time

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    for _ in range(4):
        threading.Thread(target=time.sleep, args=(3600,)).start()
    return right(q, k, v)
