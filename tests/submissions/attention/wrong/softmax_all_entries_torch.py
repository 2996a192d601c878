# backend: torch
# mistake: softmax-global
# style: flatten
import torch

def attention(q, k, v):
    s = q @ k.mT / q.shape[-1] ** 0.5
    w = torch.softmax(s.reshape(-1), dim=0).reshape(s.shape)
    return w @ v
