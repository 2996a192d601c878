# backend: torch
# mistake: clip-each-alone
# breaks: one-length-for-all
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
    one = (most / first.norm()).clamp(max=1.0)
    two = (most / second.norm()).clamp(max=1.0)
    return first * one, second * two
