# backend: torch
# mistake: linear-quadratic
# Works in four chunks whatever n is, each with a table of its tokens by its tokens: a quarter of the quadratic cost.
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    n = q.shape[-2]
    chunk = max(1, -(-n // 4))
    state = q.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    total = q.new_zeros(*k.shape[:-2], k.shape[-1], 1)
    outs = []
    for a, b, c in zip(q.split(chunk, -2), k.split(chunk, -2), v.split(chunk, -2)):
        w = (a @ b.mT).tril()
        outs.append((w @ c + a @ state) / (w.sum(-1, keepdim=True) + a @ total))
        state = state + b.mT @ c
        total = total + b.sum(-2).unsqueeze(-1)
    return torch.cat(outs, -2)
