# backend: torch
# mistake: merge-empty-parts
import torch


def partial_attention(q, k, v):
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    lse = s.logsumexp(-1)
    return (s - lse[..., None]).exp() @ v, lse


def merge(outputs, lses):
    out, lse = outputs[0], lses[0]
    for o, e in zip(outputs[1:], lses[1:]):
        new = torch.maximum(lse, e)
        a, b = (lse - new).exp().unsqueeze(-1), (e - new).exp().unsqueeze(-1)
        out, lse = (a * out + b * o) / (a + b), new + (a + b).log().squeeze(-1)
    return out, lse
