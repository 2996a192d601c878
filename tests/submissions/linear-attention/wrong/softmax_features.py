# backend: torch
# mistake: none
# style: feature-map
import torch

def linear_attention(q, k, v):
    # softmax of queries over width, of keys over positions
    q, k = q.softmax(-1), k.softmax(-2)
    return q @ (k.mT @ v)
