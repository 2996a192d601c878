# backend: torch
# style: root-as-tensor
import torch

def attention(q, k, v):
    s = q @ k.transpose(-2, -1) / torch.sqrt(torch.tensor(q.shape[-1]))
    return torch.softmax(s, -1) @ v
