# backend: torch
# mistake: softmax-underflow
import torch


def softmax(x):
    e = (x - x.max()).exp()
    return e / e.sum(-1, keepdim=True)
