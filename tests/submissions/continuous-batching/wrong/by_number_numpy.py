# backend: numpy
# mistake: none
import numpy as np


def schedule(
    arrivals: np.ndarray, prompts: np.ndarray, outputs: np.ndarray, slots: int, capacity: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the steps of each request's first and last token: (n,) each."""
    arrived, left = arrivals.tolist(), outputs.tolist()
    room = (prompts + outputs).tolist()
    first, last = [0] * len(left), [0] * len(left)
    waiting = list(range(len(left)))  # stable: ties by number
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
        step += 1
    return np.array(first, np.int64), np.array(last, np.int64)
