"""Schedulers: continuous batching in first come, first served order, and chunked prefill."""

import numpy as np


class Scheduler:
    """Continuous batching; its methods are what a mistake changes."""

    def __init__(self, arrivals, prompts, outputs, slots, capacity):
        self.arrivals, self.prompts, self.outputs = (
            [int(each) for each in numbers] for numbers in (arrivals, prompts, outputs)
        )
        self.slots, self.capacity = slots, capacity

    def room(self, request):
        """Return the tokens that are reserved for a request."""
        return self.prompts[request] + self.outputs[request]

    def order(self, requests):
        """Return the requests that have arrived in the order in which they are admitted."""
        return sorted(requests, key=lambda each: (self.arrivals[each], each))

    def fits(self, request, running):
        """Return whether a request may join those that run."""
        used = sum(map(self.room, running))
        return len(running) < self.slots and used + self.room(request) <= self.capacity

    def admitted(self, waiting, running):
        """Return the requests that join in this step."""
        joined = []
        for each in self.order(waiting):
            if not self.fits(each, running + joined):
                break
            joined.append(each)
        return joined

    def run(self):
        """Return the step of each request's first and last token."""
        waiting, running = set(range(len(self.arrivals))), []
        made = dict.fromkeys(waiting, 0)
        first, last = dict(made), dict(made)
        step = 0
        while waiting or running:
            arrived = [each for each in waiting if self.arrivals[each] <= step]
            joined = self.admitted(arrived, running)
            waiting -= set(joined)
            running = running + joined
            for each in self.writing(running, joined):
                made[each] += 1
                if made[each] == 1:
                    first[each] = step
                last[each] = step
            running = [each for each in running if made[each] < self.outputs[each]]
            step += 1
            if step > 100_000:
                raise ValueError("a request never fits")
        return tuple(np.array([each[i] for i in sorted(each)], np.int64) for each in (first, last))

    def writing(self, running, _joined):
        """Return the requests that get a token in this step."""
        return running


def schedule(arrivals, prompts, outputs, slots, capacity):
    """Return the step of each request's first and of its last token."""
    return Scheduler(arrivals, prompts, outputs, slots, capacity).run()


class Chunks:
    """Chunked prefill; its methods are what a mistake changes."""

    def __init__(self, prompts, outputs, budget):
        self.left = [int(each) for each in prompts]
        self.tokens = [int(each) - 1 for each in outputs]
        self.budget = budget

    def decoding(self):
        """Return a token for each request whose prompt was read before."""
        return [
            int(not left and tokens > 0)
            for left, tokens in zip(self.left, self.tokens, strict=True)
        ]

    def reading(self, spare):
        """Return how much of each prompt is read with what is left of the budget."""
        parts = []
        for rest in self.left:
            parts.append(min(rest, spare))
            spare -= parts[-1]
        return parts

    def step(self):
        """Return the tokens of one step, which are then done."""
        decoded = self.decoding()
        read = self.reading(self.budget - sum(decoded))
        self.done(decoded, read)
        return [a + b for a, b in zip(decoded, read, strict=True)]

    def done(self, decoded, read):
        """Count what went through the model."""
        self.left = [a - b for a, b in zip(self.left, read, strict=True)]
        self.tokens = [a - b for a, b in zip(self.tokens, decoded, strict=True)]

    def run(self):
        """Return the tokens of each request in each step: `(steps, n)`."""
        rows = []
        while any(self.left) or any(each > 0 for each in self.tokens):
            rows.append(self.step())
            if len(rows) > 100_000:
                raise ValueError("a prompt is never read")
        return np.array(rows, np.int64)


def chunked_steps(prompts, outputs, budget):
    """Return how many tokens of each request go through the model in each step: `(steps, n)`."""
    return Chunks(prompts, outputs, budget).run()
