# backend: torch
# style: pad-to-square
import torch
import torch.nn.functional as F

def causal_attention(q, k, v):
    # give the missing early queries a dummy row, mask the square, keep the end
    m, n = q.shape[-2], k.shape[-2]
    full = F.pad(q, (0, 0, n - m, 0))
    s = full @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s + torch.triu(torch.full_like(s, float("-inf")), diagonal=1)
    return (torch.softmax(s, -1) @ v)[..., n - m:, :]
