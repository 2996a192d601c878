# backend: torch
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor, counts: Tensor | None = None) -> Tensor:
    """The mean of −log p(next token) over the tokens that count."""
    z, targets = logits[..., :-1, :], tokens[..., 1:]  # each beside the token that follows
    chosen = z.gather(-1, targets[..., None])[..., 0]  # (..., n - 1), the logit of what came
    losses = z.logsumexp(dim=-1) - chosen
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
