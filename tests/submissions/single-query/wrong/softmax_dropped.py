# backend: torch
# mistake: softmax-missing
# style: real-bug
import torch

def attend(q, k, v):
    scores = torch.mv(k, q) / q.shape[0] ** 0.5
    torch.softmax(scores, dim=0)
    return scores @ v
