# backend: torch
import math

import torch


def mla_decode(q, q_r, c, k_r, w_uk, w_uv):
    """Make every head's keys and values of all latents."""
    keys, values = c @ w_uk, c @ w_uv  # (h, n, d), (h, n, d_v)
    scores = torch.einsum("hd,hnd->hn", q, keys) + q_r @ k_r.mT
    weights = (scores / math.sqrt(q.shape[-1] + q_r.shape[-1])).softmax(dim=-1)
    return torch.einsum("hn,hnv->hv", weights, values)
