# backend: torch
# style: any layout, any dtype
import torch


def project_qkv(x, w_q, w_k, w_v):
    return tuple(torch.nn.functional.linear(x, w.t()) for w in (w_q, w_k, w_v))
