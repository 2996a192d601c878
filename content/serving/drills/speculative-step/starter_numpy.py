# backend: numpy
import numpy as np


def residual(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the distribution of what replaces a rejected token: (v,)."""
    raise NotImplementedError("what does p have that q has not?")


def speculative_step(
    draft: np.ndarray, target: np.ndarray, tokens: np.ndarray, uniforms: np.ndarray
) -> np.ndarray:
    """Return the accepted tokens and one more: (a + 1,)."""
    raise NotImplementedError("accept, or correct and stop")
