# backend: torch
# mistake: none
# style: root-as-tensor
import torch

def attention(q, k, v):
    root = torch.sqrt(torch.tensor(q.shape[-1], dtype=torch.float16))
    return torch.softmax(q @ k.mT / root, -1) @ v
