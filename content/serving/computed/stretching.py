"""Computed cards on rotary positions for longer texts."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def interpolated_angle(draw: Generator) -> Computed:
    speed = float(draw.choice([0.01, 0.02, 0.05]))
    factor = int(draw.choice([2, 4, 5, 8]))
    position = 200 * factor * int(draw.integers(1, 6))
    return Computed(
        question=(
            f"A rotary pair turns by {speed:g} per position. Positions are interpolated by a "
            f"factor of {factor}. By which angle is position {position:,} turned?"
        ),
        answer=position * speed / factor,
        tolerance=1e-6,
        slips={
            "this is without interpolation": position * speed,
            "positions are divided, not multiplied": position * speed * factor,
        },
        explanation=f"{position:,} / {factor} · {speed:g}.",
    )


def ntk_speed(draw: Generator) -> Computed:
    pairs = int(draw.choice([3, 5]))
    factor = int(draw.choice([4, 9, 16]))
    place = (pairs - 1) // 2
    speed = float(draw.choice([0.06, 0.12, 0.24]))
    root = factor**0.5
    return Computed(
        question=(
            f"Keys have {pairs} rotary pairs, numbered from 0. NTK scales them for texts {factor} "
            f"times as long. Pair {place}, the middle one, had the speed {speed:g}. What is it now?"
        ),
        answer=speed / root,
        tolerance=1e-4,
        slips={
            "this is the last pair's factor": speed / factor,
            "the last pair has the exponent 1": speed / factor ** (place / pairs),
            "it turns slower": speed * root,
        },
        explanation=f"Its exponent is {place} / {pairs - 1}: {speed:g} / {factor}^(1/2).",
    )


def turns(draw: Generator) -> Computed:
    wavelength = int(draw.choice([50, 100, 200, 400]))
    answer = int(draw.integers(2, 30))
    return Computed(
        question=(
            f"A rotary pair is back where it was after {wavelength} positions. How many full turns "
            f"does it make within a trained length of {answer * wavelength:,} tokens?"
        ),
        answer=answer,
        slips={
            "this is in radians": 6.283 * answer,
            "divide the length by the wavelength": wavelength / (answer * wavelength),
        },
        explanation=f"{answer * wavelength:,} / {wavelength}.",
    )


def blended(draw: Generator) -> Computed:
    factor = int(draw.choice([2, 4, 5]))
    quarter = int(draw.choice([1, 3]))
    ramp = quarter / 4
    speed = float(draw.choice([0.02, 0.04, 0.08]))
    return Computed(
        question=(
            f"For texts {factor} times as long, YaRN's ramp is {ramp:g} for a pair of speed "
            f"{speed:g}. What is its new speed?"
        ),
        answer=ramp * speed + (1 - ramp) * speed / factor,
        tolerance=1e-6,
        slips={
            "a ramp of 1 keeps the speed": (1 - ramp) * speed + ramp * speed / factor,
            "this is plain interpolation": speed / factor,
            "this blends wavelengths": speed / (ramp + (1 - ramp) * factor),
            "the interpolated speed has its share, too": ramp * speed,
        },
        explanation=f"{ramp:g} · {speed:g} + {1 - ramp:g} · {speed:g} / {factor}.",
    )
