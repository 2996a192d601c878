# backend: torch
# style: adversarial
import torch

def trace_head(x, w_q, w_k, w_v):
    rows = []
    k, v = x @ w_k, x @ w_v
    for t in x:
        q = t @ w_q
        s = torch.stack([q.dot(key) for key in k])
        w = torch.softmax(s / len(q) ** 0.5, 0)
        rows.append((q, s, w, sum(a * b for a, b in zip(w, v))))
    q, s, w, out = (torch.stack(c) for c in zip(*rows))
    return q, k, v, s, w, out
