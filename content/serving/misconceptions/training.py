"""Mistakes with the rate of a step and with clipped gradients."""

import math

import numpy as np

from studyattn.grading.misconception import Misconception

CONCEPT = "warmup-clipping"
RISE = r"\eta_t = \eta \frac{t + 1}{w}"
FALL = r"\eta_t = \eta_0 + (\eta - \eta_0) \frac{1 + \cos \pi x}{2}"
CLIP = r"g \leftarrow g \min\left(1, \frac{c}{\|g\|}\right)"


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


def _apart(first, second, most, *, steps=None):
    return tuple(
        each * (1.0 if np.sqrt((each**2).sum()) <= most else most / np.sqrt((each**2).sum()))
        for each in (first, second)
    )


def _by_entry(first, second, most, *, steps=None):
    return np.clip(first, -most, most), np.clip(second, -most, most)


OF_TRAINING = (
    _named(
        "rate-starts-at-zero",
        "The first step has the rate 0, so it changes nothing: count from 1 in the warm-up.",
        RISE,
        {"rising": lambda step, warmup: step / warmup},
    ),
    _named(
        "rate-warmup-missing",
        "The rate is not raised step by step at the beginning.",
        RISE,
        {"rising": lambda step, warmup: 1.0},
    ),
    _named(
        "rate-progress-from-start",
        "The cosine should begin where the warm-up ends, not at the first step.",
        FALL,
        {"progress": lambda step, warmup, total: step / max(1, total - 1)},
        {"progress": lambda step, warmup, total: step / total},
    ),
    _named(
        "rate-end-missed",
        "The rate should be the peak right after the warm-up and the floor in the last step.",
        FALL,
        {"progress": lambda step, warmup, total: (step - warmup) / (total - warmup)},
        {"progress": lambda step, warmup, total: (step + 1 - warmup) / (total - warmup)},
    ),
    _named(
        "rate-not-cosine",
        "The rate follows another curve; it should be half of a cosine wave, from 1 to 0.",
        FALL,
        {"falling": lambda done: 1 - done},
        {"falling": lambda done: math.cos(math.pi * done)},
        {"falling": lambda done: math.cos(math.pi * done / 2)},
        {"falling": lambda done: (1 - math.cos(math.pi * done)) / 2},
    ),
    _named(
        "rate-floor-ignored",
        "The rate is not scaled between peak and floor: it falls to 0, is cut off or is shifted.",
        FALL,
        {"floor": lambda peak, floor, share: peak * share},
        {"floor": lambda peak, floor, share: floor + peak * share},
        {"floor": lambda peak, floor, share: max(floor, peak * share)},
    ),
    _named(
        "clip-each-alone",
        "Each gradient is shortened by its own length: that changes the direction of the step.",
        CLIP,
        {"clipped": _apart},
    ),
    _named(
        "clip-by-entry",
        "Entries are cut off; all should be multiplied by the same number.",
        CLIP,
        {"clipped": _by_entry},
    ),
    _named(
        "clip-always",
        "Gradients that are short enough should stay as they are.",
        CLIP,
        {"bounded": lambda length, most: most / length},
    ),
    _named(
        "clip-number-added",
        "A small number is added to the length; nothing has to be kept from 0 here.",
        CLIP,
        {"bounded": lambda length, most: min(1.0, most / (length + 1e-6))},
        {"bounded": lambda length, most: min(1.0, most / (length + 1e-8))},
    ),
    _named(
        "clip-length-wrong",
        "The length should be the root of the sum of all squares.",
        CLIP,
        {"norm": lambda first, second: (first**2).sum() + (second**2).sum()},
        {"norm": lambda first, second: np.abs(first).sum() + np.abs(second).sum()},
        {"norm": lambda first, second: max(np.abs(first).max(), np.abs(second).max())},
        {"norm": lambda first, second: np.sqrt((first**2).sum()) + np.sqrt((second**2).sum())},
        {"norm": lambda first, second: np.sqrt((first**2).mean() + (second**2).mean())},
    ),
)
