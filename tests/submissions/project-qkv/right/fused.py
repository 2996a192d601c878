# backend: torch
# style: fused-projection
import torch

def project_qkv(x, w_q, w_k, w_v):
    both = x @ torch.cat((w_q, w_k, w_v), dim=1)
    return tuple(both.split([w.shape[1] for w in (w_q, w_k, w_v)], dim=-1))
