# backend: torch
# mistake: yarn-ends-swapped
import math

import torch


def interpolated(speeds, factor):
    return speeds.div(factor)


def ntk(speeds, factor):
    steps = torch.linspace(0, 1, len(speeds), dtype=torch.float64)
    return (speeds.double() * torch.exp(-math.log(factor) * steps)).to(speeds.dtype)


def yarn(speeds, factor, original, slow=1.0, fast=32.0):
    turns = speeds * (original / math.tau)
    kept = torch.clip((turns - slow) / (fast - slow), min=0.0, max=1.0)
    return torch.lerp(speeds, interpolated(speeds, factor), kept)


def yarn_scale(factor):
    return 0.1 * math.log(factor) + 1.0
