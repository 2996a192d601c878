# backend: torch
from torch import Tensor


def token_mask(transitions: Tensor, tokens: Tensor, state: int) -> Tensor:
    """Return which tokens are allowed in a state: booleans (v,)."""
    raise NotImplementedError("all characters of each token")


def next_state(transitions: Tensor, tokens: Tensor, state: int, token: int) -> int:
    """Return the state after a token, -1 if it is not allowed."""
    raise NotImplementedError
