# backend: torch
# mistake: mask-after-softmax
# style: matmul
import torch

def padded_attention(q, k, v, lengths):
    real = torch.arange(k.shape[1], device=k.device) < lengths[:, None]
    w = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1)
    return (w * real[:, None]) @ v
