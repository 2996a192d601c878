# backend: numpy
import numpy as np


def next_probabilities(
    logits: np.ndarray,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> np.ndarray:
    """The share of each token: (..., v) to (..., v)."""
    z = logits / temperature
    order = np.argsort(-z, axis=-1, kind="stable")
    place = np.argsort(order, axis=-1)  # of each token, from the most likely on
    if top_k is not None:
        z = np.where(place < top_k, z, -np.inf)
    if top_p is not None:
        shares = np.take_along_axis(softmax(z), order, axis=-1)  # the largest first
        before = np.cumsum(shares, axis=-1) - shares
        z = np.where(np.take_along_axis(before < top_p, place, axis=-1), z, -np.inf)
    return softmax(z)


def sample(
    logits: np.ndarray,
    uniform: float,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> int:
    """The first token with which the sum of the shares exceeds `uniform`."""
    shares = next_probabilities(logits, temperature, top_k, top_p)
    passed = int((np.cumsum(shares) <= uniform).sum())
    return min(passed, int(shares.nonzero()[0].max()))  # rounding may leave the last sum below 1


def softmax(z: np.ndarray) -> np.ndarray:
    """Positive shares that sum to 1, along the last axis."""
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
