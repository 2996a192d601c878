# backend: torch
# mistake: none
# style: einsum
import torch

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return (heads / h) @ w_o.reshape(h, d, w_o.shape[-1])
