# backend: torch
# style: loops
import torch

def trace_head(x, w_q, w_k, w_v):
    q = torch.stack([row @ w_q for row in x])
    k = torch.stack([row @ w_k for row in x])
    v = torch.stack([row @ w_v for row in x])
    scores = torch.stack([torch.stack([torch.dot(a, b) for b in k]) for a in q])
    weights = torch.stack([torch.softmax(r / q.shape[1] ** 0.5, 0) for r in scores])
    return q, k, v, scores, weights, torch.stack([w @ v for w in weights])
