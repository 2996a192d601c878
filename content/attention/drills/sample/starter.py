# backend: torch
from torch import Tensor


def next_probabilities(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Tensor:
    """Return the share of each token: (..., v) to (..., v)."""
    raise NotImplementedError("which tokens remain, and with what probabilities?")


def sample(
    logits: Tensor,
    uniform: float,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> int:
    """Return the first token with which the sum of the shares exceeds `uniform`: (v,)."""
    raise NotImplementedError("walk through the probabilities")
