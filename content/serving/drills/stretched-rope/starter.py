# backend: torch
from torch import Tensor


def interpolated(speeds: Tensor, factor: float) -> Tensor:
    """Return the speeds for positions divided by the factor: (n,) to (n,)."""
    raise NotImplementedError


def ntk(speeds: Tensor, factor: float) -> Tensor:
    """Return speeds of which the first is kept and the last divided by the factor: (n,)."""
    raise NotImplementedError


def yarn(
    speeds: Tensor, factor: float, original: int, slow: float = 1.0, fast: float = 32.0
) -> Tensor:
    """Return speeds that are kept, interpolated or in between, by their turns: (n,)."""
    raise NotImplementedError


def yarn_scale(factor: float) -> float:
    """Return what queries and keys are multiplied by."""
    raise NotImplementedError
