# backend: torch
# mistake: mask-added-raw
# style: additive-mask
import torch

def padded_attention(q, k, v, lengths):
    real = (torch.arange(k.shape[1], device=k.device) < lengths[:, None]).to(q.dtype)
    s = torch.baddbmm(real[:, None, :].expand(-1, q.shape[1], -1), q, k.transpose(1, 2), alpha=q.shape[-1] ** -0.5)
    return s.softmax(-1) @ v
