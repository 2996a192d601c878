# backend: torch
# style: loops
import torch

def attend(q, k, v):
    s = torch.stack([torch.dot(q, key) for key in k]) / len(q) ** 0.5
    w = torch.softmax(s, 0)
    out = torch.zeros_like(v[0])
    for weight, value in zip(w, v):
        out = out + weight * value
    return out
