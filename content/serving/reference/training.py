"""The rate of a training step, and gradients of bounded length."""

import math
from dataclasses import dataclass

import numpy as np


def rising(step, warmup):
    """The share of the peak during warm-up: the last of its steps has all of it."""
    return (step + 1) / warmup


def progress(step, warmup, total):
    """From 0 at the end of the warm-up to 1 at the last step."""
    return (step - warmup) / max(1, total - 1 - warmup)


def falling(done):
    """The share of the way from the floor to the peak that is left."""
    return (1 + math.cos(math.pi * done)) / 2


def norm(gradient, other):
    """The length of all gradients as one vector."""
    return np.sqrt((gradient**2).sum() + (other**2).sum())


def bounded(length, most):
    """What gradients are multiplied by."""
    return 1.0 if length <= most else most / length


@dataclass(frozen=True)
class TrainingSteps:
    rising: object = rising
    progress: object = progress
    falling: object = falling
    floor: object = lambda peak, floor, share: floor + (peak - floor) * share
    norm: object = norm
    bounded: object = bounded


STEPS = TrainingSteps()


def rate(step, peak, warmup, total, floor=0.0, *, steps=STEPS):
    """The learning rate of a step, counted from 0."""
    if step < warmup:
        return peak * steps.rising(step, warmup)
    return steps.floor(peak, floor, steps.falling(steps.progress(step, warmup, total)))


def clipped(first, second, most, *, steps=STEPS):
    """Both gradients, shortened together."""
    factor = steps.bounded(steps.norm(first, second), most)
    return first * factor, second * factor
