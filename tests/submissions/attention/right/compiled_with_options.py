# backend: torch
# style: compiled
import math

import torch


def scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))


@torch.compile(fullgraph=True, dynamic=True)
def attention(q, k, v):
    return torch.softmax(scores(q, k), dim=-1) @ v


scores = torch.compile(scores)
