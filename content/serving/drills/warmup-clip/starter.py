# backend: torch
from torch import Tensor


def rate(step: int, peak: float, warmup: int, total: int, floor: float = 0.0) -> float:
    """Return the learning rate of a step, counted from 0."""
    raise NotImplementedError("up, then down")


def clipped(first: Tensor, second: Tensor, most: float) -> tuple[Tensor, Tensor]:
    """Return both gradients, shortened together: (m,) and (n,)."""
    raise NotImplementedError("one length for all entries")
