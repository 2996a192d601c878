# backend: torch
# mistake: chunk-whole-prompts
# breaks: as-much-as-fits
import torch
from torch import Tensor


def chunked_steps(prompts: Tensor, outputs: Tensor, budget: int) -> Tensor:
    """Return how many tokens of each request go through the model in each step: (steps, n)."""
    unread, undecoded = prompts.tolist(), (outputs - 1).tolist()
    steps = []
    while any(unread) or any(undecoded):
        step = [int(u == 0 and d > 0) for u, d in zip(unread, undecoded, strict=True)]
        undecoded = [d - token for d, token in zip(undecoded, step, strict=True)]
        spare = budget - sum(step)
        for i, rest in enumerate(unread):
            alone = spare == budget and sum(step) == 0
            part = min(rest, spare) if rest <= spare or alone else 0
            unread[i] -= part
            step[i] += part
            spare -= part
        steps.append(step)
    return torch.tensor(steps)
