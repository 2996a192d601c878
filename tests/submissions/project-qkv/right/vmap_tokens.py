# backend: torch
# style: adversarial
import torch

def project_qkv(x, w_q, w_k, w_v):
    rows = x.reshape(-1, x.shape[-1])
    f = torch.vmap(lambda r: (r @ w_q, r @ w_k, r @ w_v))
    return tuple(y.unflatten(0, x.shape[:-1]) for y in f(rows))
