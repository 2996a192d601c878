# backend: numpy
import numpy as np


def delta_rule(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    gates: np.ndarray,
    rates: np.ndarray,
    state: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """What each token reads, (..., n, d_v), and the state after the last, (..., d_k, d_v)."""
    raise NotImplementedError("what does the key find before the value is written?")
