# backend: torch
# mistake: rate-progress-from-start
import math

from torch import Tensor


def rate(step: int, peak: float, warmup: int, total: int, floor: float = 0.0) -> float:
    """Return the learning rate of a step, counted from 0."""
    if step < warmup:
        return peak * (step + 1) / warmup
    x = step / (total - 1)
    return floor + (peak - floor) * (1 + math.cos(math.pi * x)) / 2


def clipped(first: Tensor, second: Tensor, most: float) -> tuple[Tensor, Tensor]:
    """Return both gradients, shortened together: (m,) and (n,)."""
    length = (first.square().sum() + second.square().sum()).sqrt()
    factor = (most / length).clamp(max=1.0)
    return first * factor, second * factor
