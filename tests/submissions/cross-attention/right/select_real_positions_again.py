# backend: torch
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    outs = []
    for i in range(x.shape[0]):
        tokens = context[i] if context_mask is None else context[i][context_mask[i]]
        parts = []
        for a, b, c in zip(w_q.chunk(num_heads, dim=1), w_k.chunk(num_heads, dim=1), w_v.chunk(num_heads, dim=1)):
            scores = (x[i] @ a) @ (tokens @ b).T / a.shape[1] ** 0.5
            parts.append(scores.softmax(dim=-1) @ (tokens @ c))
        outs.append(torch.cat(parts, dim=-1) @ w_o)
    return torch.stack(outs)
