# backend: torch
# mistake: scale-missing, softmax-wrong-axis
# style: matmul
import torch

def attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-2) @ v
