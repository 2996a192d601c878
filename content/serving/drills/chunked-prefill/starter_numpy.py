# backend: numpy
import numpy as np


def chunked_steps(prompts: np.ndarray, outputs: np.ndarray, budget: int) -> np.ndarray:
    """Return how many tokens of each request go through the model in each step: (steps, n)."""
    raise NotImplementedError("who decodes, and what is left to read with?")
