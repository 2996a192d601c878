# backend: numpy
import numpy as np


class Int8Cache:
    """Keys and values of all tokens so far, in int8 with a scale per token and head."""

    def __init__(self) -> None:
        raise NotImplementedError("what has to be kept?")

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        """Keep new tokens, (b, h, t, d) each."""
        raise NotImplementedError

    def stored(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return keys, their scales, values, their scales: (b, h, n, d) and (b, h, n, 1)."""
        raise NotImplementedError

    def attend(self, q: np.ndarray) -> np.ndarray:
        """Attend to all tokens so far: (b, h, m, d) to (b, h, m, d)."""
        raise NotImplementedError
