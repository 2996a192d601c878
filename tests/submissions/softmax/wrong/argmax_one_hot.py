# backend: torch
# mistake: softmax-hard
import torch


def softmax(x):
    winner = x.argmax(dim=-1, keepdim=True)
    return torch.zeros_like(x).scatter(-1, winner, 1.0) + 0 * x
