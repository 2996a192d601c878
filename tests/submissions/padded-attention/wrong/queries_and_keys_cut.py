# backend: torch
# mistake: padding-queries-zeroed
# style: both-masked
import torch

def padded_attention(q, k, v, lengths):
    real_k = (torch.arange(k.shape[1], device=k.device) < lengths[:, None])[:, None, :]
    real_q = (torch.arange(q.shape[1], device=q.device) < lengths[:, None])[:, :, None]
    s = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(~real_k, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v * real_q
