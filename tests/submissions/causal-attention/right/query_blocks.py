# backend: torch
# style: chunked
import torch

def causal_attention(q, k, v, block=2):
    m, n = q.shape[-2], k.shape[-2]
    outs = []
    for start in range(0, m, block):
        stop = min(start + block, m)
        last = stop + n - m
        s = q[..., start:stop, :] @ k[..., :last, :].transpose(-1, -2) / q.shape[-1] ** 0.5
        ok = torch.ones(stop - start, last, device=q.device).tril(start + n - m).bool()
        outs.append(s.masked_fill(~ok, -torch.inf).softmax(-1) @ v[..., :last, :])
    return torch.cat(outs, -2)
