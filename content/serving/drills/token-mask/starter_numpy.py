# backend: numpy
import numpy as np


def token_mask(transitions: np.ndarray, tokens: np.ndarray, state: int) -> np.ndarray:
    """Return which tokens are allowed in a state: booleans (v,)."""
    raise NotImplementedError("all characters of each token")


def next_state(transitions: np.ndarray, tokens: np.ndarray, state: int, token: int) -> int:
    """Return the state after a token, -1 if it is not allowed."""
    raise NotImplementedError
