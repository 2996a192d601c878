# backend: torch
# mistake: input-mutated
import math

from torch import Tensor


def rate(step: int, peak: float, warmup: int, total: int, floor: float = 0.0) -> float:
    """Return the learning rate of a step, counted from 0."""
    if step < warmup:
        return peak * (step + 1) / warmup
    x = (step - warmup) / (total - 1 - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * x)) / 2


def clipped(first: Tensor, second: Tensor, most: float) -> tuple[Tensor, Tensor]:
    """Return both gradients, shortened together: (m,) and (n,)."""
    length = (first.square().sum() + second.square().sum()).sqrt()
    factor = (most / length).clamp(max=1.0)
    return first.mul_(factor), second.mul_(factor)
