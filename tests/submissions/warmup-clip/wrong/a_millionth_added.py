# backend: torch
# mistake: clip-number-added
import math

import torch


def rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * (step + 1) / warmup
    x = (step - warmup) / (total - 1 - warmup)
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * x))


def clipped(first, second, most):
    length = torch.cat([first, second]).norm()
    by = (most / (length + 1e-6)).clamp(max=1.0)
    return first * by, second * by
