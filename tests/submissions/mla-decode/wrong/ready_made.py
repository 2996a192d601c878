# backend: torch
# mistake: forbidden-call
# breaks: ready-made-attention
import math

import torch
from torch import Tensor


def mla_decode(
    q: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, w_uk: Tensor, w_uv: Tensor
) -> Tensor:
    """Attend with one token's queries to n latents: (h, d_v)."""
    asking = torch.einsum("hd,hcd->hc", q, w_uk)  # as wide as a latent
    scores = (asking @ c.mT + q_r @ k_r.mT) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    keys = torch.cat([c, k_r], -1)
    mixed = torch.nn.functional.scaled_dot_product_attention(torch.cat([asking, q_r], -1), keys, c, scale=(q.shape[-1] + q_r.shape[-1]) ** -0.5)
    return torch.einsum("hc,hcv->hv", mixed, w_uv)
