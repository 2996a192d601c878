# backend: torch
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor, counts: Tensor | None = None) -> Tensor:
    """Return the mean of −log p(next token) over the tokens that count.

    logits: (..., n, v)    tokens, counts: (..., n)    returns ()
    """
    raise NotImplementedError("which logits belong to which token?")
