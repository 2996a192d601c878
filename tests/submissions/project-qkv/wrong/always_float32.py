# backend: torch
# mistake: precision-lost
# style: default dtype
import torch


def project_qkv(x, w_q, w_k, w_v):
    given = x.dtype
    x = x.to(torch.float32)
    return tuple((x @ w.to(torch.float32)).to(given) for w in (w_q, w_k, w_v))
