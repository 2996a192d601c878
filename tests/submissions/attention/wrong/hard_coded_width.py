# backend: torch
# mistake: none
# style: hard-coded
import torch

def attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / 8.0, dim=-1) @ v
