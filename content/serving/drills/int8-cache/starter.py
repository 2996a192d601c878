# backend: torch
from torch import Tensor


class Int8Cache:
    """Keys and values of all tokens so far, in int8 with a scale per token and head."""

    def __init__(self) -> None:
        raise NotImplementedError("what has to be kept?")

    def append(self, k: Tensor, v: Tensor) -> None:
        """Keep new tokens, (b, h, t, d) each."""
        raise NotImplementedError

    def stored(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return keys, their scales, values, their scales: (b, h, n, d) and (b, h, n, 1)."""
        raise NotImplementedError

    def attend(self, q: Tensor) -> Tensor:
        """Attend to all tokens so far: (b, h, m, d) to (b, h, m, d)."""
        raise NotImplementedError
