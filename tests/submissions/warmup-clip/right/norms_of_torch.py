# backend: torch
import math

import torch


def rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak / warmup * (step + 1)
    left = 0.5 * math.cos((step - warmup) / (total - warmup - 1) * math.pi) + 0.5
    return peak * left + floor * (1 - left)


def clipped(first, second, most):
    length = torch.linalg.vector_norm(torch.cat([first, second]))
    if length > most:
        return first / length * most, second / length * most
    return first.clone(), second.clone()
