# backend: torch
# mistake: none
# breaks: elu-plus-one
# style: feature-map
import torch

def linear_attention(q, k, v):
    q, k = torch.relu(q) + 1e-6, torch.relu(k) + 1e-6
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
