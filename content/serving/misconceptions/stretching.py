"""Mistakes with stretched rotary positions."""

import functools
import math

import numpy as np

from studyattn.grading.misconception import Misconception

from ..reference import stretching as right

CONCEPT = "yarn"
INTERPOLATED = r"\theta'_i = \theta_i / s"
NTK = r"\theta'_i = \theta_i \, s^{-2 i / (d - 2)}"
TURNS = r"r_i = \frac{L \, \theta_i}{2 \pi}"
YARN = r"\theta'_i = \gamma_i \theta_i + (1 - \gamma_i) \frac{\theta_i}{s}"


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


def _harmonic(kept, speeds, factor):
    """Wavelengths in between, not speeds."""
    return speeds / (kept + (1 - kept) * factor)


def _geometric(kept, speeds, factor):
    return speeds / factor ** (1 - kept)


def _between_pairs(speeds, factor, original, slow=1.0, fast=32.0, *, whole, steps=right.STEPS):
    """The ramp goes from pair to pair, between two that speeds by the base 10,000 give."""
    count = len(speeds)
    low, high = (
        2 * count * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(10_000.0))
        for turns in (fast, slow)
    )
    if whole:
        low, high = max(math.floor(low), 0), min(math.ceil(high), 2 * count - 1)
    done = np.clip((np.arange(count) - low) / (high - low or 1e-3), 0.0, 1.0)
    return right.blend(1 - done, speeds, factor).astype(speeds.dtype)


def _by_logarithm(turns, slow, fast):
    """Linear in the number of the pair, as speeds are powers."""
    return np.clip(np.log(turns / slow) / math.log(fast / slow), 0.0, 1.0)


OF_STRETCHING = (
    _named(
        "stretch-speeds-multiplied",
        "Interpolation makes pairs turn slower: divide by the factor.",
        INTERPOLATED,
        {"interpolation": lambda speeds, factor: speeds * factor},
        {"blend": lambda kept, speeds, factor: kept * speeds + (1 - kept) * speeds * factor},
        {
            "interpolation": lambda speeds, factor: speeds * factor,
            "blend": lambda kept, speeds, factor: kept * speeds + (1 - kept) * speeds * factor,
        },
    ),
    _named(
        "ntk-exponent-of-d",
        "The exponents should go from 0 for the first pair to 1 for the last: 2i/(d − 2).",
        NTK,
        {"exponents": lambda count: np.arange(count) / count},
        {"exponents": lambda count: (np.arange(count) + 1) / count},
    ),
    _named(
        "ntk-pairs-reversed",
        "The first pair, which turns fastest, should keep its speed; here the last one does.",
        NTK,
        {"exponents": lambda count: right.exponents(count)[::-1]},
    ),
    _named(
        "ntk-all-alike",
        "All pairs are divided by the same number; with NTK each has its own.",
        NTK,
        {"exponents": np.ones},
    ),
    _named(
        "yarn-ends-swapped",
        "Pairs that turn often should keep their speed; those that turn rarely should not.",
        YARN,
        {"blend": lambda kept, speeds, factor: right.blend(1 - kept, speeds, factor)},
    ),
    _named(
        "yarn-without-full-turns",
        "A full turn is an angle of 2π: divide by it.",
        TURNS,
        {"rotations": lambda speeds, original: original * speeds},
        {"rotations": lambda speeds, original: original * speeds / math.pi},
    ),
    _named(
        "yarn-wavelength",
        "The turns should be the trained length divided by the wavelength.",
        TURNS,
        {"rotations": lambda speeds, original: 2 * math.pi / (original * speeds)},
        {"rotations": lambda speeds, original: 2 * math.pi / speeds},
        {"rotations": lambda speeds, original: speeds / (2 * math.pi)},
    ),
    _named(
        "yarn-not-clipped",
        "The ramp should end at 0 and 1 and be constant beyond.",
        r"0 \le \gamma_i \le 1",
        {"ramp": lambda turns, slow, fast: (turns - slow) / (fast - slow)},
        {"ramp": lambda turns, slow, fast: np.minimum((turns - slow) / (fast - slow), 1.0)},
        {"ramp": lambda turns, slow, fast: np.maximum((turns - slow) / (fast - slow), 0.0)},
    ),
    _named(
        "yarn-no-ramp",
        "Between both ends, speeds are blended; here each pair is either kept or interpolated.",
        YARN,
        {"ramp": lambda turns, slow, fast: (turns >= fast).astype(turns.dtype)},
        {"ramp": lambda turns, slow, fast: (turns > slow).astype(turns.dtype)},
    ),
    _named(
        "yarn-ramp-by-number",
        "The ramp is linear in the turns of a pair; here it is in the number of the pair.",
        YARN,
        {"ramp": _by_logarithm},
        {"yarn": functools.partial(_between_pairs, whole=True)},
        {"yarn": functools.partial(_between_pairs, whole=False)},
    ),
    _named(
        "yarn-wavelengths-blended",
        "The wavelengths or the exponents are blended; the speeds should be.",
        YARN,
        {"blend": _harmonic},
        {"blend": _geometric},
    ),
    _named(
        "yarn-scale-wrong",
        "The scale should be 0.1 ln s + 1, with the natural logarithm.",
        r"0.1 \ln s + 1",
        {"temperature": lambda factor: 0.1 * math.log(factor)},
        {"temperature": lambda factor: 0.1 * math.log2(factor) + 1},
        {"temperature": lambda factor: 0.1 * math.log10(factor) + 1},
        {"temperature": lambda factor: 1 / (0.1 * math.log(factor) + 1)},
        {"temperature": lambda factor: math.log(factor) + 1},
    ),
)
