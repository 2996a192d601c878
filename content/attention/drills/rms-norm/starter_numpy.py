# backend: numpy
import numpy as np


def rms_norm(x: np.ndarray, gain: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Return each row of `x` divided by its root mean square, times `gain`.

    x: (..., n, d)    gain: (d,)    returns (..., n, d)
    """
    raise NotImplementedError("square, mean, root: one number per row")
