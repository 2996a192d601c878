# backend: torch
from torch import Tensor


def next_probabilities(
    logits: Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Tensor:
    """The share of each token: (..., v) to (..., v)."""
    z = logits / temperature
    order = z.argsort(dim=-1, descending=True, stable=True)
    place = order.argsort(dim=-1)  # of each token, from the most likely on
    if top_k is not None:
        z = z.masked_fill(place >= top_k, float("-inf"))
    if top_p is not None:
        shares = z.softmax(dim=-1).gather(-1, order)  # the largest first
        before = shares.cumsum(dim=-1) - shares
        z = z.masked_fill((before >= top_p).gather(-1, place), float("-inf"))
    return z.softmax(dim=-1)


def sample(
    logits: Tensor,
    uniform: float,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> int:
    """The first token with which the sum of the shares exceeds `uniform`."""
    shares = next_probabilities(logits, temperature, top_k, top_p)
    passed = int((shares.cumsum(dim=-1) <= uniform).sum())
    return min(passed, int(shares.nonzero().max()))  # rounding may leave the last sum below 1
