# backend: torch
# mistake: mask-multiplied
# style: zeroed-keys
import torch

def padded_attention(q, k, v, lengths):
    # a zero key has score 0, and exp(0) = 1
    real = torch.arange(k.shape[1], device=k.device) < lengths[:, None]
    k = k * real[:, :, None]
    return (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v
