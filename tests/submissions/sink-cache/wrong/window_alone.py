# backend: torch
# mistake: sinks-dropped
# breaks: sinks-stay
import torch
from torch import Tensor


class SinkCache:
    """Keys and values of the first tokens and of the latest ones."""

    def __init__(self, sinks: int, window: int) -> None:
        self.sinks, self.window = sinks, window
        self.seen = 0
        self.places = torch.zeros(0, dtype=torch.int64)
        self.rows: tuple[Tensor, Tensor] | None = None

    def append(self, k: Tensor, v: Tensor) -> None:
        """Take in new tokens, (t, d) each."""
        new = torch.arange(self.seen, self.seen + len(k))
        self.seen += len(k)
        places = torch.cat([self.places, new])
        stay = places >= self.seen - self.window
        if self.rows is not None:
            k, v = torch.cat([self.rows[0], k]), torch.cat([self.rows[1], v])
        self.rows, self.places = (k[stay], v[stay]), places[stay]

    def kept(self) -> tuple[Tensor, Tensor]:
        """Return the kept keys and values in order of position: (c, d) each."""
        return self.rows

    def positions(self) -> Tensor:
        """Return their positions in the text: (c,)."""
        return self.places

    def attend(self, q: Tensor) -> Tensor:
        """Attend to all that is kept: (m, d) to (m, d)."""
        k, v = self.rows
        return (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1) @ v
