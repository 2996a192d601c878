# backend: torch
from torch import Tensor


def residual(p: Tensor, q: Tensor) -> Tensor:
    """Return the distribution of what replaces a rejected token: (v,)."""
    raise NotImplementedError("what does p have that q has not?")


def speculative_step(draft: Tensor, target: Tensor, tokens: Tensor, uniforms: Tensor) -> Tensor:
    """Return the accepted tokens and one more: (a + 1,)."""
    raise NotImplementedError("accept, or correct and stop")
