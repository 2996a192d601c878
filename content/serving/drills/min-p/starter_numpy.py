# backend: numpy
import numpy as np


def min_p(logits: np.ndarray, p: float) -> np.ndarray:
    """Return probabilities, 0 for tokens below p times the largest: (..., v)."""
    raise NotImplementedError("compare with the likeliest token")


def repetition_penalty(logits: np.ndarray, tokens: np.ndarray, penalty: float) -> np.ndarray:
    """Make the tokens of a text less likely: (v,) to (v,)."""
    raise NotImplementedError("what does dividing do to a negative logit?")
