# backend: torch
# mistake: linear-feature-map-wrong
# style: feature-map
import torch

def linear_attention(q, k, v):
    q, k = q.exp(), k.exp()
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
