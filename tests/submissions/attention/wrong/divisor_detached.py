# backend: torch
# mistake: gradient-wrong
import torch


def attention(q, k, v):
    s = q @ k.mT / q.shape[-1] ** 0.5
    e = (s - s.amax(-1, keepdim=True).detach()).exp()
    return (e / e.sum(-1, keepdim=True).detach()) @ v
