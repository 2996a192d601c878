# backend: torch
from torch import Tensor


def chunked_steps(prompts: Tensor, outputs: Tensor, budget: int) -> Tensor:
    """Return how many tokens of each request go through the model in each step: (steps, n)."""
    raise NotImplementedError("who decodes, and what is left to read with?")
