# backend: torch
# mistake: linear-feature-map-missing
# style: matmul
import torch

def linear_attention(q, k, v):
    state = k.transpose(-1, -2) @ v
    return (q @ state) / (q @ k.sum(-2).unsqueeze(-1))
