# backend: torch
# mistake: yarn-not-clipped
import math

import torch
from torch import Tensor


def interpolated(speeds: Tensor, factor: float) -> Tensor:
    """Return the speeds for positions divided by the factor: (n,) to (n,)."""
    return speeds / factor


def ntk(speeds: Tensor, factor: float) -> Tensor:
    """Return speeds of which the first is kept and the last divided by the factor: (n,)."""
    n = len(speeds)
    exponents = torch.arange(n, dtype=speeds.dtype, device=speeds.device) / (n - 1)
    return speeds / factor**exponents


def yarn(
    speeds: Tensor, factor: float, original: int, slow: float = 1.0, fast: float = 32.0
) -> Tensor:
    """Return speeds that are kept, interpolated or in between, by their turns: (n,)."""
    turns = original * speeds / (2 * math.pi)
    gamma = ((turns - slow) / (fast - slow))
    return gamma * speeds + (1 - gamma) * speeds / factor


def yarn_scale(factor: float) -> float:
    """Return what queries and keys are multiplied by."""
    return 0.1 * math.log(factor) + 1
