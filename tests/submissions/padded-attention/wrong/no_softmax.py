# backend: torch
# mistake: softmax-missing
# style: masked-fill
import torch

def padded_attention(q, k, v, lengths):
    real = torch.arange(k.shape[1], device=k.device) < lengths[:, None]
    return torch.where(real[:, None], q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, 0) @ v
