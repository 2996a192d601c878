# backend: torch
# mistake: padding-queries-zeroed
import torch


def padded_attention(q, k, v, lengths):
    real_keys = torch.arange(k.shape[1])[None] < lengths[:, None]
    real_queries = torch.arange(q.shape[1])[None] < lengths[:, None]
    mask = real_queries[:, :, None] & real_keys[:, None, :]
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
    w = torch.where(mask, torch.softmax(s, -1), 0.0)
    return w @ v
