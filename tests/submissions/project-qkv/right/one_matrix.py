# backend: torch
# style: any layout, any dtype
import torch


def project_qkv(x, w_q, w_k, w_v):
    joined = torch.cat((w_q, w_k, w_v), dim=1)
    return torch.split(x @ joined, [w_q.shape[1], w_k.shape[1], w_v.shape[1]], dim=-1)
