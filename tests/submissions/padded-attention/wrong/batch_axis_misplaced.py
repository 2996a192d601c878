# backend: torch
# mistake: mask-batch-as-heads
# style: square-batch
import torch

def padded_attention(q, k, v, lengths):
    # lengths broadcast along the queries: only fits when b == m
    real = torch.arange(k.shape[1], device=k.device) < lengths[:, None]
    s = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(~real, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
