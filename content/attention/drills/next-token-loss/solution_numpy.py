# backend: numpy
import numpy as np


def next_token_loss(
    logits: np.ndarray, tokens: np.ndarray, counts: np.ndarray | None = None
) -> np.ndarray:
    """The mean of −log p(next token) over the tokens that count."""
    z, targets = logits[..., :-1, :], tokens[..., 1:]  # each beside the token that follows
    z = z - z.max(axis=-1, keepdims=True)  # no exponential overflows
    chosen = np.take_along_axis(z, targets[..., None], axis=-1)[..., 0]  # (..., n - 1)
    losses = np.log(np.exp(z).sum(axis=-1)) - chosen
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
