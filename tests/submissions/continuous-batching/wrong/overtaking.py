# backend: torch
# mistake: batch-overtaken
# breaks: no-overtaking
from dataclasses import dataclass

import torch


@dataclass
class Request:
    number: int
    arrival: int
    prompt: int
    output: int
    made: int = 0
    first: int = -1
    last: int = -1

    @property
    def room(self):
        return self.prompt + self.output


def schedule(arrivals, prompts, outputs, slots, capacity):
    requests = [
        Request(i, *map(int, each)) for i, each in enumerate(zip(arrivals, prompts, outputs))
    ]
    line = sorted(requests, key=lambda r: (r.arrival, r.number))
    busy, step = [], 0
    while line or busy:
        for r in list(line):
            if r.arrival > step or len(busy) >= slots:
                break
            if sum(each.room for each in busy) + r.room <= capacity:
                line.remove(r)
                busy.append(r)
        for r in busy:
            r.first = step if r.made == 0 else r.first
            r.made, r.last = r.made + 1, step
        busy = [r for r in busy if r.made < r.output]
        step += 1
    return torch.tensor([r.first for r in requests]), torch.tensor([r.last for r in requests])
