# backend: torch
# style: root-as-tensor
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(y):
        return y.unflatten(-1, (num_heads, -1)).transpose(-2, -3)

    q, k, v = heads(x @ w_q), heads(x @ w_k), heads(x @ w_v)
    scale = torch.sqrt(torch.FloatTensor([q.shape[-1]])).to(q)
    energy = torch.matmul(q, k.transpose(-2, -1)) / scale
    if mask is not None:
        energy = energy.masked_fill(~mask, float("-inf"))
    attention = torch.nan_to_num(torch.softmax(energy, dim=-1), nan=0.0)
    return (attention @ v).transpose(-2, -3).flatten(-2) @ w_o
