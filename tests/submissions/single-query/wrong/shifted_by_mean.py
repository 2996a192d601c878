# backend: torch
# mistake: softmax-unstable
# Subtracts the mean, not the maximum, so that large scores overflow.
import torch

def attend(q, k, v):
    s = torch.mv(k, q) / q.numel() ** 0.5
    s = s - s.mean()
    w = torch.exp(s)
    w = w / w.sum()
    return torch.mv(v.T, w)
