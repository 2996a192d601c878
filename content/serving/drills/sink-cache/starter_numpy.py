# backend: numpy
import numpy as np


class SinkCache:
    """Keys and values of the first tokens and of the latest ones."""

    def __init__(self, sinks: int, window: int) -> None:
        raise NotImplementedError("what stays?")

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        """Take in new tokens, (t, d) each."""
        raise NotImplementedError

    def kept(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the kept keys and values in order of position: (c, d) each."""
        raise NotImplementedError

    def positions(self) -> np.ndarray:
        """Return their positions in the text: (c,)."""
        raise NotImplementedError

    def attend(self, q: np.ndarray) -> np.ndarray:
        """Attend to all that is kept: (m, d) to (m, d)."""
        raise NotImplementedError
