# backend: torch
# mistake: quantize-truncates
# breaks: nearest
import torch
from torch import Tensor


def quantize(w: Tensor, group: int, bits: int = 8) -> tuple[Tensor, Tensor]:
    """Return int8 weights (n * group, d_out) and scales (n, d_out)."""
    groups = w.reshape(-1, group, w.shape[-1])
    scales = groups.abs().amax(dim=1) / (2 ** (bits - 1) - 1)
    divisors = torch.where(scales == 0, 1.0, scales).to(w.dtype)
    q = (groups / divisors.unsqueeze(1))
    return q.reshape(w.shape).to(torch.int8), scales


def quantized_linear(x: Tensor, q: Tensor, scales: Tensor) -> Tensor:
    """Multiply (..., n * group) by quantized weights: (..., d_out)."""
    count = scales.shape[0]
    parts = x.reshape(*x.shape[:-1], count, -1)  # (..., groups, group)
    weights = q.to(x.dtype).reshape(count, -1, q.shape[-1])
    sums = torch.einsum("...gi,gio->...go", parts, weights)
    return (sums * scales).sum(dim=-2)
