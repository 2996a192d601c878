# backend: torch
# mistake: chunk-reads-first
# breaks: decoding-first
import torch
from torch import Tensor


def chunked_steps(prompts: Tensor, outputs: Tensor, budget: int) -> Tensor:
    """Return how many tokens of each request go through the model in each step: (steps, n)."""
    unread, undecoded = prompts.tolist(), (outputs - 1).tolist()
    steps = []
    while any(unread) or any(undecoded):
        step = [int(u == 0 and d > 0) for u, d in zip(unread, undecoded, strict=True)]
        ready, step = step, [0] * len(step)
        spare = budget
        for i, rest in enumerate(unread):
            part = min(rest, spare)
            unread[i] -= part
            step[i] += part
            spare -= part
        for i, one in enumerate(ready):
            token = min(one, spare)
            step[i] += token
            undecoded[i] -= token
            spare -= token
        steps.append(step)
    return torch.tensor(steps)
