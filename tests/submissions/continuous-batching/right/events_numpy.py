# backend: numpy
import heapq
from collections import deque

import numpy as np


def schedule(arrivals, prompts, outputs, slots, capacity):
    """Jump from event to event: an end is known when a request joins."""
    n = len(arrivals)
    first, last = np.zeros(n, int), np.zeros(n, int)
    queue = deque(np.argsort(arrivals, kind="stable").tolist())
    ends, used, now = [], 0, 0
    while queue:
        r = queue[0]
        now = max(now, int(arrivals[r]))
        while ends and ends[0][0] <= now:
            used -= heapq.heappop(ends)[1]
        need = int(prompts[r] + outputs[r])
        if len(ends) == slots or used + need > capacity:
            now = ends[0][0]
            continue
        queue.popleft()
        first[r], last[r] = now, now + outputs[r] - 1
        heapq.heappush(ends, (int(last[r]) + 1, need))
        used += need
    return first, last
