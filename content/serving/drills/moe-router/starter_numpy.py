# backend: numpy
import numpy as np


def route(logits: np.ndarray, top_k: int, capacity: int) -> np.ndarray:
    """Return the weight of each expert for each token: (t, e) to (t, e)."""
    raise NotImplementedError("who gets a place, and with which weight?")


def balance_loss(logits: np.ndarray, top_k: int) -> np.ndarray:
    """Return how unevenly the router chooses: (t, e) to one number."""
    raise NotImplementedError("load times mean share")
