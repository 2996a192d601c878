"""Activation patching: a run on one prompt with a part of the stream of another one."""

from dataclasses import dataclass

import numpy as np


class Stack:
    """Layers that add to a stream, with a look at it before each of them."""

    def __init__(self, embedding, mix, w, out):
        self.embedding, self.mix, self.w, self.out = embedding, mix, w, out
        self.layers = len(w)

    def run(self, tokens, hook):
        """The scores after the last token: (v,). Before a layer, x becomes hook(layer, x)."""
        x = self.embedding[tokens]
        for layer in range(self.layers):
            x = hook(layer, x)
            x = x + np.tanh(self.mix[layer] @ x @ self.w[layer])
        return x[-1] @ self.out


def source(clean, corrupted):
    """The prompt whose stream is copied, and the one that runs on with the copy."""
    return clean, corrupted


def kept_at(kept, layer, _at):
    """What the run before left for the patch at a layer."""
    return kept[layer]


def is_here(at, layer):
    """Whether the stream before the layer `at` is patched."""
    return at == layer


def put(x, kept, position):
    """The stream with one position of the kept one."""
    patched = x.copy()
    patched[position] = kept[position]
    return patched


def gap(scores, right, wrong):
    """How far the right token is ahead of the wrong one."""
    return scores[right] - scores[wrong]


def share(patched, corrupted, clean):
    """How much of the way from the corrupted run to the clean one the patched run has come."""
    return (patched - corrupted) / (clean - corrupted)


@dataclass(frozen=True)
class PatchSteps:
    source: object = source
    kept_at: object = kept_at
    is_here: object = is_here
    put: object = put
    gap: object = gap
    share: object = share


STEPS = PatchSteps()


def same(_layer, x):
    """Leave the stream as it is."""
    return x


def patched(model, clean, corrupted, layer, position, *, steps=STEPS):
    """The scores of the corrupted prompt with one vector of the clean run: (v,)."""
    kept = {}

    def keep(at, x):
        kept[at] = x
        return x

    def change(at, x):
        if not steps.is_here(at, layer):
            return x
        return steps.put(x, steps.kept_at(kept, layer, at), position)

    copied, running = steps.source(clean, corrupted)
    model.run(copied, keep)
    return model.run(running, change)


def restored(model, clean, corrupted, right, wrong, *, steps=STEPS):
    """The share that each patch brings back: (layers, n)."""
    low, high = (steps.gap(model.run(prompt, same), right, wrong) for prompt in (corrupted, clean))
    rows = [
        [
            steps.gap(patched(model, clean, corrupted, layer, position, steps=steps), right, wrong)
            for position in range(len(clean))
        ]
        for layer in range(model.layers)
    ]
    return steps.share(np.array(rows), low, high)
