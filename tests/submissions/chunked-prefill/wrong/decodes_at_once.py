# backend: numpy
# mistake: chunk-decodes-at-once
import numpy as np


def chunked_steps(prompts: np.ndarray, outputs: np.ndarray, budget: int) -> np.ndarray:
    """Return how many tokens of each request go through the model in each step: (steps, n)."""
    unread, undecoded = prompts.tolist(), (outputs - 1).tolist()
    steps = []
    while any(unread) or any(undecoded):
        ready = sum(u == 0 and d > 0 for u, d in zip(unread, undecoded, strict=True))
        step = [0] * len(unread)
        spare = budget - ready
        for i, rest in enumerate(unread):
            part = min(rest, spare)
            unread[i] -= part
            step[i] += part
            spare -= part
        for i in range(len(step)):
            if unread[i] == 0 and undecoded[i] > 0:
                step[i] += 1
                undecoded[i] -= 1
        steps.append(step)
    return np.array(steps, np.int64)
