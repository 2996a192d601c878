# backend: torch
import math

import torch
from torch import Tensor


def absorb(q: Tensor, w_uk: Tensor) -> Tensor:
    """Each head's query as wide as a latent: (h, d) and (h, d_c, d) to (h, d_c)."""
    return torch.einsum("hd,hcd->hc", q, w_uk)


def weigh(asking: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, d: int) -> Tensor:
    """The weights of all tokens, from those queries and the rotated parts: (h, n)."""
    scores = (asking @ c.mT + q_r @ k_r.mT) / math.sqrt(d + q_r.shape[-1])
    return scores.softmax(dim=-1)


def mla_decode(
    q: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, w_uk: Tensor, w_uv: Tensor
) -> Tensor:
    """Attend with one token's queries to n latents: (h, d_v)."""
    weights = weigh(absorb(q, w_uk), q_r, c, k_r, q.shape[-1])
    return torch.einsum("hc,hcv->hv", weights @ c, w_uv)  # the latents are mixed first
