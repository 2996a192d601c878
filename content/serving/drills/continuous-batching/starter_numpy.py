# backend: numpy
import numpy as np


def schedule(
    arrivals: np.ndarray, prompts: np.ndarray, outputs: np.ndarray, slots: int, capacity: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the steps of each request's first and last token: (n,) each."""
    raise NotImplementedError("who joins, who gets a token, who leaves?")
