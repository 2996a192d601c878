# backend: torch
# mistake: none
# breaks: angles-in-float32
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    exponents = torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    angle = positions.to(x.dtype)[:, None] / torch.pow(base, exponents)
    pairs = x.unflatten(-1, (d // 2, 2))
    first, second = pairs[..., 0], pairs[..., 1]
    return torch.stack(
        (
            first * angle.cos() - second * angle.sin(),
            first * angle.sin() + second * angle.cos(),
        ),
        dim=-1,
    ).reshape(x.shape)
