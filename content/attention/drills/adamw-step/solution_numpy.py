# backend: numpy
import numpy as np


def adamw_step(
    weights: np.ndarray,
    gradient: np.ndarray,
    mean: np.ndarray,
    square: np.ndarray,
    step: int,
    rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.01,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The new weights, mean and square after step number `step`, which counts from 1."""
    mean = beta_1 * mean + (1 - beta_1) * gradient
    square = beta_2 * square + (1 - beta_2) * gradient**2
    corrected = mean / (1 - beta_1**step)
    root = np.sqrt(square / (1 - beta_2**step))
    weights = weights * (1 - rate * decay) - rate * corrected / (root + epsilon)
    return weights, mean, square
