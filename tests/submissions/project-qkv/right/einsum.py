# backend: torch
# style: einsum
import torch

def project_qkv(x, w_q, w_k, w_v):
    q, k, v = (torch.einsum("...i,io->...o", x, w) for w in (w_q, w_k, w_v))
    return q, k, v
