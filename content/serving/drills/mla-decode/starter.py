# backend: torch
from torch import Tensor


def mla_decode(
    q: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, w_uk: Tensor, w_uv: Tensor
) -> Tensor:
    """Attend with one token's queries to n latents: (h, d_v)."""
    raise NotImplementedError("without a key per head and token")
