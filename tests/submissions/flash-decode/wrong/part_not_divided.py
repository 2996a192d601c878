# backend: torch
# mistake: merge-part-not-divided
import torch


def partial_attention(q, k, v):
    scores = torch.einsum("hmd,hnd->hmn", q, k) / q.shape[-1] ** 0.5
    m = scores.max(-1, keepdim=True).values
    e = torch.exp(scores - m)
    z = e.sum(-1, keepdim=True)
    return (e @ v), (m + z.log()).squeeze(-1)


def merge(outputs, lses):
    m = lses.max(0, keepdim=True).values
    e = torch.exp(lses - m)
    z = e.sum(0)
    return torch.einsum("shm,shmv->hmv", e, outputs) / z[..., None], m[0] + z.log()
