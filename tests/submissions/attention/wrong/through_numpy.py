# backend: torch
# mistake: not-differentiable
# style: numpy-round-trip
import numpy as np
import torch

def attention(q, k, v):
    Q, K, V = (t.detach().cpu().double().numpy() for t in (q, k, v))
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return torch.from_numpy((e / e.sum(-1, keepdims=True)) @ V).to(q)
