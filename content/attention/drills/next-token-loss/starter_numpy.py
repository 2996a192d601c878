# backend: numpy
import numpy as np


def next_token_loss(
    logits: np.ndarray, tokens: np.ndarray, counts: np.ndarray | None = None
) -> np.ndarray:
    """Return the mean of −log p(next token) over the tokens that count.

    logits: (..., n, v)    tokens, counts: (..., n)    returns ()
    """
    raise NotImplementedError("which logits belong to which token?")
