# backend: torch
# style: per-head
import torch

def head_updates(heads, w_o):
    d = heads.shape[-1]
    updates = []
    for i in range(heads.shape[-3]):
        updates.append(heads[..., i, :, :] @ w_o[i * d:(i + 1) * d])
    return torch.stack(updates, dim=-3)
