# backend: numpy
# mistake: yarn-no-ramp
# breaks: ramp-in-between
import math

import numpy as np


def interpolated(speeds, factor):
    return np.array([each / factor for each in speeds], dtype=speeds.dtype)


def ntk(speeds, factor):
    # as a larger base: b' = b * s^(d / (d - 2))
    d = 2 * len(speeds)
    grown = factor ** (d / (d - 2))
    return np.array([v * grown ** (-2 * i / d) for i, v in enumerate(speeds)], dtype=speeds.dtype)


def yarn(speeds, factor, original, slow=1.0, fast=32.0):
    out = np.empty_like(speeds)
    for i, v in enumerate(speeds):
        wavelength = 2 * math.pi / v
        turns = original / wavelength
        if turns >= fast:
            out[i] = v
        else:
            out[i] = v / factor
    return out


def yarn_scale(factor):
    return 1 + math.log(factor) / 10
