# backend: numpy
import numpy as np

Trace = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def trace_head(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray) -> Trace:
    """Every table between the tokens and the output of one head.

    x: (n, d_model)    w_q, w_k: (d_model, d)    w_v: (d_model, d_v)
    returns (q, k, v, scores, weights, output); the scores are the raw ones
    """
    raise NotImplementedError("give every step a name")
