# backend: torch
# style: unusual
import torch

def attend(q, k, v):
    return v.T.mv(torch.mv(k, q).div(q.numel() ** 0.5).softmax(0))
