# backend: torch
from torch import Tensor


def absorb(q: Tensor, w_uk: Tensor) -> Tensor:
    """Each head's query as wide as a latent: (h, d) and (h, d_c, d) to (h, d_c)."""
    raise NotImplementedError("step 1")


def weigh(asking: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, d: int) -> Tensor:
    """The weights of all tokens, from those queries and the rotated parts: (h, n)."""
    raise NotImplementedError("step 2")


def mla_decode(
    q: Tensor, q_r: Tensor, c: Tensor, k_r: Tensor, w_uk: Tensor, w_uv: Tensor
) -> Tensor:
    """Attend with one token's queries to n latents: (h, d_v)."""
    raise NotImplementedError("without a key per head and token")
