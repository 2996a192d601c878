# backend: torch
# mistake: precision-lost
# Rounds the weights to bfloat16 on the way, as a mixed-precision layer does.
import torch

def project_qkv(x, w_q, w_k, w_v):
    return tuple(x @ w.to(torch.bfloat16).to(w.dtype) for w in (w_q, w_k, w_v))
