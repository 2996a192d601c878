# backend: torch
# mistake: not-differentiable
# Wraps the matrices in nn.Parameter, which makes new leaves: no gradient reaches w_q, w_k, w_v.
import torch
from torch import nn

def _linear(w):
    layer = nn.Linear(w.shape[0], w.shape[1], bias=False, dtype=w.dtype)
    layer.weight = nn.Parameter(w.T)
    return layer

def project_qkv(x, w_q, w_k, w_v):
    return _linear(w_q)(x), _linear(w_k)(x), _linear(w_v)(x)
