# backend: torch
# mistake: softmax-unstable
# style: adversarial
import torch

def attention(q, k, v):
    s = q @ k.mT / q.shape[-1] ** 0.5
    e = (s - s.mean(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True) @ v
