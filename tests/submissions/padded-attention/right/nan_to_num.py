# backend: torch
# style: masked-fill
import torch

def padded_attention(q, k, v, lengths):
    pad = torch.arange(k.size(1), device=k.device).unsqueeze(0) >= lengths.unsqueeze(1)
    s = torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5
    s = s.masked_fill(pad.unsqueeze(1), float("-inf"))
    return torch.bmm(torch.nan_to_num(s.softmax(-1)), v)
