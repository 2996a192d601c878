# backend: torch
from torch import Tensor


def schedule(
    arrivals: Tensor, prompts: Tensor, outputs: Tensor, slots: int, capacity: int
) -> tuple[Tensor, Tensor]:
    """Return the steps of each request's first and last token: (n,) each."""
    raise NotImplementedError("who joins, who gets a token, who leaves?")
