# backend: torch
# mistake: mla-softmax-over-heads
import math

import torch
from torch import Tensor


def mla_decode(
    q: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, w_uk: Tensor, w_uv: Tensor
) -> Tensor:
    """Attend with one token's queries to n latents: (h, d_v)."""
    asking = torch.einsum("hd,hcd->hc", q, w_uk)  # as wide as a latent
    scores = (asking @ c.mT + q_r @ k_r.mT) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    mixed = scores.softmax(dim=0) @ c  # (h, d_c)
    return torch.einsum("hc,hcv->hv", mixed, w_uv)
