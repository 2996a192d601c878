# backend: numpy
import numpy as np


def most_frequent_pair(tokens: np.ndarray) -> tuple[int, int]:
    """Return the pair that a merge would replace most often; of equals, the first: (n,)."""
    raise NotImplementedError("count what a merge would replace")


def merge_pair(tokens: np.ndarray, first: int, second: int, new: int) -> np.ndarray:
    """Return the tokens with `new` in the place of each `first` that `second` follows."""
    raise NotImplementedError("from left to right, and no token twice")
