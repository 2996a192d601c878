# backend: torch
from concurrent.futures import ThreadPoolExecutor
import torch

def _head(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v

def grouped_query_attention(q, k, v):
    h, h_kv = q.shape[1], k.shape[1]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(_head, q[:, i], k[:, i * h_kv // h], v[:, i * h_kv // h]) for i in range(h)]
        return torch.stack([job.result() for job in jobs], dim=1)
