"""Speeds of rotary positions for texts longer than those of training."""

import math
from dataclasses import dataclass

import numpy as np


def rotations(speeds, original):
    """How often each pair turns around within the trained length."""
    return original * speeds / (2 * math.pi)


def ramp(turns, slow, fast):
    """0 for pairs that turn `slow` or less often, 1 for those that turn `fast` or more often."""
    return np.clip((turns - slow) / (fast - slow), 0.0, 1.0)


def blend(kept, speeds, factor):
    """Speeds that are kept, divided by the factor, or in between."""
    return kept * speeds + (1 - kept) * speeds / factor


def exponents(count):
    """The powers of the factor by which NTK divides: 0 for the first pair, 1 for the last."""
    return np.arange(count) / (count - 1)


@dataclass(frozen=True)
class StretchSteps:
    rotations: object = rotations
    ramp: object = ramp
    blend: object = blend
    exponents: object = exponents
    interpolation: object = lambda speeds, factor: speeds / factor
    temperature: object = lambda factor: 0.1 * math.log(factor) + 1


STEPS = StretchSteps()


def interpolated(speeds, factor, *, steps=STEPS):
    """All positions divided by the factor."""
    return steps.interpolation(speeds, factor)


def ntk(speeds, factor, *, steps=STEPS):
    """A larger base: the first pair keeps its speed, the last one is divided by the factor."""
    return (speeds / factor ** steps.exponents(len(speeds))).astype(speeds.dtype)


def yarn(speeds, factor, original, slow=1.0, fast=32.0, *, steps=STEPS):
    """Pairs that turn often keep their speed, those that turn rarely are interpolated."""
    kept = steps.ramp(steps.rotations(speeds, original), slow, fast)
    return steps.blend(kept, speeds, factor)


def yarn_scale(factor, *, steps=STEPS):
    """What queries and keys are multiplied by."""
    return steps.temperature(factor)
