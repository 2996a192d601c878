# backend: numpy
import numpy as np


class SinkCache:
    """Keys and values of the first tokens and of the latest ones."""

    def __init__(self, sinks: int, window: int) -> None:
        self.sinks, self.window = sinks, window
        self.seen = 0
        self.places = np.zeros(0, np.int64)
        self.rows: tuple[np.ndarray, np.ndarray] | None = None

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        """Take in new tokens, (t, d) each."""
        new = np.arange(self.seen, self.seen + len(k))
        self.seen += len(k)
        places = np.concatenate([self.places, new])
        stay = (places < self.sinks) | (places >= self.seen - self.window)
        if self.rows is not None:
            k, v = (np.concatenate(each) for each in zip(self.rows, (k, v), strict=True))
        self.rows, self.places = (k[stay], v[stay]), places[stay]

    def kept(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the kept keys and values in order of position: (c, d) each."""
        return self.rows

    def positions(self) -> np.ndarray:
        """Return their positions in the text: (c,)."""
        return self.places

    def attend(self, q: np.ndarray) -> np.ndarray:
        """Attend to all that is kept: (m, d) to (m, d)."""
        k, v = self.rows
        scores = q @ k.T / q.shape[-1] ** 0.5
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True) @ v
