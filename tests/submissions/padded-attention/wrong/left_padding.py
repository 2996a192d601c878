# backend: torch
# mistake: padding-on-the-left
# style: masked-fill
import torch

def padded_attention(q, k, v, lengths):
    n = k.shape[1]
    real = torch.arange(n, device=k.device) >= (n - lengths)[:, None]
    s = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(~real[:, None], -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
