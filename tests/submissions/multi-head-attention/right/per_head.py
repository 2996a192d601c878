# backend: torch
# style: per-head
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    dk, dv = w_q.shape[1] // num_heads, w_v.shape[1] // num_heads
    n = x.shape[-2]
    if mask is not None:
        mask = mask.expand(*x.shape[:-2], num_heads, n, n)
    results = []
    for i in range(num_heads):
        q = x @ w_q[:, i * dk:(i + 1) * dk]
        k = x @ w_k[:, i * dk:(i + 1) * dk]
        v = x @ w_v[:, i * dv:(i + 1) * dv]
        s = q @ k.transpose(-1, -2) / dk ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask[..., i, :, :], -torch.inf)
        results.append(torch.nan_to_num(s.softmax(-1)) @ v)
    return torch.cat(results, dim=-1) @ w_o
