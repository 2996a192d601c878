# backend: torch
# mistake: scale-by-d
# breaks: scaled-by-root
# style: matmul
import torch

def attend(q, k, v):
    return torch.softmax(torch.mv(k, q) / q.shape[0], 0) @ v
