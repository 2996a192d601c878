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
    """The new weights, mean and square after step number `step`, which counts from 1."""
    mean = beta_1 * mean + (1 - beta_1) * gradient
    square = beta_2 * square + (1 - beta_2) * gradient**2
    corrected = mean / (1 - beta_1**step)
    root = (square / (1 - beta_2**step)).sqrt()
    weights = weights * (1 - rate * decay) - rate * corrected / (root + epsilon)
    return weights, mean, square
