# backend: numpy
# mistake: chunk-evenly
import numpy as np


def chunked_steps(prompts: np.ndarray, outputs: np.ndarray, budget: int) -> np.ndarray:
    """Return how many tokens of each request go through the model in each step: (steps, n)."""
    unread, undecoded = prompts.tolist(), (outputs - 1).tolist()
    steps = []
    while any(unread) or any(undecoded):
        step = [int(u == 0 and d > 0) for u, d in zip(unread, undecoded, strict=True)]
        undecoded = [d - token for d, token in zip(undecoded, step, strict=True)]
        spare = budget - sum(step)
        share = max(1, spare // max(1, sum(u > 0 for u in unread)))
        for i, rest in enumerate(unread):
            part = min(rest, share)
            unread[i] -= part
            step[i] += part
        steps.append(step)
    return np.array(steps, np.int64)
