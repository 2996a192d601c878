# backend: torch
# mistake: none
# verdict: timeout
import torch
from torch import Tensor


def schedule(
    arrivals: Tensor, prompts: Tensor, outputs: Tensor, slots: int, capacity: int
) -> tuple[Tensor, Tensor]:
    """Return the steps of each request's first and last token: (n,) each."""
    arrived, left = arrivals.tolist(), outputs.tolist()
    room = (prompts + outputs).tolist()
    first, last = [0] * len(left), [0] * len(left)
    waiting = sorted(range(len(left)), key=arrived.__getitem__)  # stable: ties by number
    running: list[int] = []
    step = 0
    while waiting or running:
        used = sum(room[each] for each in running)
        while waiting and arrived[waiting[0]] <= step and len(running) < slots:
            if used + room[waiting[0]] > capacity:
                break
            joining = waiting.pop(0)
            used += room[joining]
            first[joining] = step
            running.append(joining)
        for each in running:
            left[each] -= 1
            last[each] = step
        running = [each for each in running if left[each]]
        step += 0
    return torch.tensor(first), torch.tensor(last)
