# backend: numpy
# mistake: clip-by-entry
import math

import numpy as np


def rate(step: int, peak: float, warmup: int, total: int, floor: float = 0.0) -> float:
    """Return the learning rate of a step, counted from 0."""
    if step < warmup:
        return peak * (step + 1) / warmup
    x = (step - warmup) / (total - 1 - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * x)) / 2


def clipped(first: np.ndarray, second: np.ndarray, most: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both gradients, shortened together: (m,) and (n,)."""
    length = math.sqrt((first**2).sum() + (second**2).sum())
    factor = min(1.0, most / length)
    return np.clip(first, -most, most), np.clip(second, -most, most)
