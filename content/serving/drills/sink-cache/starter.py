# backend: torch
from torch import Tensor


class SinkCache:
    """Keys and values of the first tokens and of the latest ones."""

    def __init__(self, sinks: int, window: int) -> None:
        raise NotImplementedError("what stays?")

    def append(self, k: Tensor, v: Tensor) -> None:
        """Take in new tokens, (t, d) each."""
        raise NotImplementedError

    def kept(self) -> tuple[Tensor, Tensor]:
        """Return the kept keys and values in order of position: (c, d) each."""
        raise NotImplementedError

    def positions(self) -> Tensor:
        """Return their positions in the text: (c,)."""
        raise NotImplementedError

    def attend(self, q: Tensor) -> Tensor:
        """Attend to all that is kept: (m, d) to (m, d)."""
        raise NotImplementedError
