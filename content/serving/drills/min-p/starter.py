# backend: torch
from torch import Tensor


def min_p(logits: Tensor, p: float) -> Tensor:
    """Return probabilities, 0 for tokens below p times the largest: (..., v)."""
    raise NotImplementedError("compare with the likeliest token")


def repetition_penalty(logits: Tensor, tokens: Tensor, penalty: float) -> Tensor:
    """Make the tokens of a text less likely: (v,) to (v,)."""
    raise NotImplementedError("what does dividing do to a negative logit?")
