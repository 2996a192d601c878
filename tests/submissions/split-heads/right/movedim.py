# backend: torch
# style: adversarial
import torch

def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).movedim(-2, -3)

def merge_heads(x):
    return x.movedim(-3, -2).flatten(-2)
