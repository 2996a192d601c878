# backend: torch
# mistake: scores-scaled-in-trace
# Scales the scores in place through an alias, so the returned scores are the scaled ones.
import math
import torch

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores
    scaled /= math.sqrt(q.shape[1])
    weights = torch.softmax(scaled, dim=-1)
    output = weights @ v
    return q, k, v, scores, weights, output
