# backend: torch
# style: adversarial
import torch

def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    def one(asks):
        s = k @ asks
        w = torch.softmax(s / asks.shape[0] ** 0.5, 0)
        return s, w, w @ v
    return (q, k, v, *torch.vmap(one)(q))
