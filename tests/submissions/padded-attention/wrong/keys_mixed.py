# backend: torch
# mistake: values-are-keys
# style: masked-fill
import torch

def padded_attention(q, k, v, lengths):
    pad = torch.arange(k.shape[1], device=k.device) >= lengths[:, None]
    s = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(pad[:, None], -torch.inf)
    return torch.bmm(s.softmax(-1).nan_to_num(), k)
