# backend: torch
# style: per-head
import torch

def grouped_query_attention(q, k, v):
    size = q.shape[1] // k.shape[1]
    outs = []
    for i in range(q.shape[1]):
        g = i // size
        w = torch.softmax(torch.bmm(q[:, i], k[:, g].transpose(1, 2)) / q.shape[-1] ** 0.5, -1)
        outs.append(torch.bmm(w, v[:, g]))
    return torch.stack(outs, 1)
