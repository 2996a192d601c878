# backend: torch
from torch import Tensor


def route(logits: Tensor, top_k: int, capacity: int) -> Tensor:
    """Return the weight of each expert for each token: (t, e) to (t, e)."""
    raise NotImplementedError("who gets a place, and with which weight?")


def balance_loss(logits: Tensor, top_k: int) -> Tensor:
    """Return how unevenly the router chooses: (t, e) to one number."""
    raise NotImplementedError("load times mean share")
