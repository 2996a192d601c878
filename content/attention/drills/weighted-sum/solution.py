# backend: torch
from torch import Tensor


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """The rows of `values`, each times its weight, added up."""
    weighted = weights[:, None] * values  # (n, d): each row times its weight
    return weighted.sum(dim=0)  # (d,)
