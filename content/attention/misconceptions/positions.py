"""Mistakes with positions: rotary embedding."""

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception

PAIR = r"\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} = R(t\,\theta_i) \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}"  # noqa: E501
SPEED = r"\theta_i = b^{-2i/d}"


def _halves(x):
    """Return the first and the second half of each row."""
    middle = x.shape[-1] // 2
    return x[..., :middle], x[..., middle:]


def _with_halves(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = _halves(x)
    turned = (first * cos - second * sin, first * sin + second * cos)
    return np.concatenate(turned, axis=-1)


def _neighbours_into_halves(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = (first * cos - second * sin, first * sin + second * cos)
    return np.concatenate(turned, axis=-1)


def _without_minus(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = (first * cos + second * sin, first * sin + second * cos)
    return np.stack(turned, axis=-1).reshape(x.shape)


def _backwards(x, angles):
    return STEPS.turn(x, -angles)


def _added(x, angles):
    pattern = np.stack((np.sin(angles), np.cos(angles)), axis=-1)
    return x + pattern.reshape(x.shape[-2:])


def _one_speed(width, base, like):
    return np.ones(width // 2)


def _half_the_exponent(width, base, like):
    return base ** (-np.arange(width // 2) / width)


def _twice_the_exponent(width, base, like):
    return base ** (-4.0 * np.arange(width // 2) / width)


def _faster_and_faster(width, base, like):
    return base ** (2.0 * np.arange(width // 2) / width)


def _base_unused(width, base, like):
    return STEPS.speeds(width, 10000.0, like)


def _counted_anew(positions, speeds):
    return np.arange(len(positions))[:, None] * speeds


def _from_one(positions, speeds):
    return (positions[:, None] + 1) * speeds


rope_half_split = Misconception(
    id="rope-half-split",
    title="Entry i is paired with entry i + d/2; a pair is two neighbours, 2i and 2i + 1.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _with_halves},),
)

rope_left_in_halves = Misconception(
    id="rope-left-in-halves",
    title="The neighbours are turned, then all first entries are put before all second ones.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _neighbours_into_halves},),
)

rope_without_minus = Misconception(
    id="rope-without-minus",
    title="The minus sign is missing, so the pairs are not rotated: their lengths change.",
    formula=r"x'_{2i} = x_{2i} \cos t\theta_i - x_{2i+1} \sin t\theta_i",
    concept="rope",
    ways=({"turn": _without_minus},),
)

rope_backwards = Misconception(
    id="rope-backwards",
    title="The pairs turn the other way: sin has the other sign in both lines.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _backwards},),
)

rope_added = Misconception(
    id="rope-added",
    title="Sines and cosines are added to the vector; they are to rotate it.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _added},),
)

rope_one_speed = Misconception(
    id="rope-one-speed",
    title="All pairs turn at the speed of the first one.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _one_speed},),
)

rope_wrong_exponent = Misconception(
    id="rope-wrong-exponent",
    title="The exponent of the speeds is off by a factor of 2: it is 2i/d for pair i.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _half_the_exponent}, {"speeds": _twice_the_exponent}),
)

rope_faster = Misconception(
    id="rope-faster",
    title="Later pairs turn faster: the exponent lacks its minus sign.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _faster_and_faster},),
)

rope_base_unused = Misconception(
    id="rope-base-unused",
    title="The base is always 10,000; the one that is given is not used.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _base_unused},),
)

rope_counted_anew = Misconception(
    id="rope-counted-anew",
    title="Positions are counted from 0 in each call; the ones that are given are not used.",
    formula=r"t = \text{positions}[j]",
    concept="rope",
    ways=({"angles": _counted_anew},),
)

rope_from_one = Misconception(
    id="rope-from-one",
    title="Each position is taken to be one later than it is.",
    formula=r"t = \text{positions}[j]",
    concept="rope",
    ways=({"angles": _from_one},),
)

OF_ROPE = (
    rope_half_split,
    rope_counted_anew,
    rope_left_in_halves,
    rope_wrong_exponent,
    rope_without_minus,
    rope_backwards,
    rope_from_one,
    rope_one_speed,
    rope_base_unused,
    rope_faster,
    rope_added,
)
