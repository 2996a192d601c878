# backend: torch
from torch import Tensor


def library_attention(
    q: Tensor, k: Tensor, v: Tensor, real: Tensor, scale: float | None = None
) -> Tensor:
    """Return causal attention of grouped heads to the keys that are real.

    q: (b, h, m, d)    k: (b, h_kv, n, d)    v: (b, h_kv, n, d_v)    real: (b, n)
    returns (b, h, m, d_v)
    """
    raise NotImplementedError("call torch.nn.functional.scaled_dot_product_attention")
