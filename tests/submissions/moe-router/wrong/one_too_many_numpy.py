# backend: numpy
# mistake: router-capacity-ignored
import numpy as np


def softmax(x: np.ndarray) -> np.ndarray:
    """Return the shares of the last axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def route(logits: np.ndarray, top_k: int, capacity: int) -> np.ndarray:
    """Return the weight of each expert for each token: (t, e) to (t, e)."""
    experts = np.argsort(-logits, axis=-1)[:, :top_k]
    shares = softmax(np.take_along_axis(logits, experts, axis=-1))
    weights = np.zeros_like(logits)
    taken = [0] * logits.shape[1]
    for rank in range(top_k):
        for token, expert in enumerate(experts[:, rank].tolist()):
            if taken[expert] <= capacity:
                taken[expert] += 1
                weights[token, expert] = shares[token, rank]
    return weights


def balance_loss(logits: np.ndarray, top_k: int) -> np.ndarray:
    """Return how unevenly the router chooses: (t, e) to one number."""
    experts = logits.shape[1]
    chosen = np.argsort(-logits, axis=-1)[:, :top_k]
    load = np.bincount(chosen.ravel(), minlength=experts) / chosen.size
    return (experts * (load * softmax(logits).mean(axis=0)).sum()).astype(logits.dtype)
