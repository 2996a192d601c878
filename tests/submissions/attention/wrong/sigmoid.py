# backend: torch
# mistake: softmax-sigmoid
# style: sigmoid
import torch

def attention(q, k, v):
    s = torch.sigmoid(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5)
    return s / s.sum(-1, keepdim=True) @ v
