# backend: torch
import torch
from torch import Tensor
from torch.nn import functional


def library_attention(
    q: Tensor, k: Tensor, v: Tensor, real: Tensor, scale: float | None = None
) -> Tensor:
    """Causal attention of grouped heads to the keys that are real, by PyTorch's own function."""
    m, n = q.shape[-2], k.shape[-2]
    causal = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)  # bottom right
    allowed = causal & real[:, None, None, :]  # (b, 1, m, n), True = may look
    return functional.scaled_dot_product_attention(
        q, k, v, attn_mask=allowed, scale=scale, enable_gqa=True
    )
