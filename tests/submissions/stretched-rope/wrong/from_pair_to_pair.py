# backend: torch
# mistake: yarn-ramp-by-number
import math

import torch


def interpolated(speeds, factor):
    return speeds / factor


def ntk(speeds, factor):
    n = len(speeds)
    return speeds / factor ** (torch.arange(n, dtype=speeds.dtype) / (n - 1))


def yarn(speeds, factor, original, slow=1.0, fast=32.0):
    def pair(turns):  # the one that makes so many, for the base 10,000
        return n * math.log(original / (turns * 2 * math.pi)) / math.log(10_000)

    n = len(speeds)
    first, last = max(math.floor(pair(fast)), 0), min(math.ceil(pair(slow)), 2 * n - 1)
    ramp = (torch.arange(n) - first) / (last - first if last != first else 0.001)
    ramp = ramp.clamp(0, 1).to(speeds.dtype)
    return speeds / factor * ramp + speeds * (1 - ramp)


def yarn_scale(factor):
    return 0.1 * math.log(factor) + 1.0
