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
    """Return the new weights, mean and square after step number `step`, which counts from 1."""
    raise NotImplementedError("compute the two running means first")
