# backend: torch
from torch import Tensor


def delta_rule(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    gates: Tensor,
    rates: Tensor,
    state: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """What each token reads, (..., n, d_v), and the state after the last, (..., d_k, d_v)."""
    raise NotImplementedError("what does the key find before the value is written?")
