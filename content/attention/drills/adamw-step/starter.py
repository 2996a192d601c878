# backend: torch
from torch import Tensor


def adamw_step(
    weights: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    step: int,
    rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.01,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the new weights, mean and square after step number `step`, which counts from 1."""
    raise NotImplementedError("compute the two running means first")
